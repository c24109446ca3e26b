"""A night of images that is only played: images come to be known as the run goes on."""

from play import Play

AHEAD = 4


class Night(Play):
    """The images are (name, sectors)."""

    def __init__(self, images, systems, **options):
        super().__init__(0, systems, **options)
        self.images = images
        self.known = []

    def has_next(self):
        while self.next + AHEAD > self.sectors and len(self.known) < len(self.images):
            name, sectors = self.images[len(self.known)]
            self.known.append({"name": name, "first": self.sectors, "sectors": sectors})
            self.sectors += sectors
        return super().has_next()

    def is_over(self):
        return len(self.known) == len(self.images) and super().is_over()

    def image_of(self, sector):
        return next(image for image in self.known if image["first"] <= sector < image["first"] + image["sectors"])

    def fail(self, system, key, task):
        super().fail(system, key, task)
        for failure in self.failures[-1:]:
            failure["image"] = self.image_of(failure["sector"])["name"]

    def state(self, name, grid=None, image=None):
        state = super().state(name, grid, image)
        failed = {self.image_of(failure["sector"])["name"] for failure in self.failures}
        over = set(self.found) | {failure["sector"] for failure in self.failures}
        ended = [image["name"] for image in self.known
                 if all(sector in over for sector in range(image["first"], image["first"] + image["sectors"]))]
        sectors = {sector for system in self.systems for sector, *_ in system.in_flight.values()}
        state["images"] = {
            "known": len(self.known), "total": len(self.images),
            "done": len([name for name in ended if name not in failed]),
            "failed": len([name for name in ended if name in failed]),
            "now": [image["name"] for image in self.known
                    if any(image["first"] <= sector < image["first"] + image["sectors"] for sector in sectors)][:8]}
        return state

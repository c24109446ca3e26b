#!/usr/bin/env python3
"""Tests of deploy/pinned/check: what changes a digest, what counts as a difference, and what is not pinned."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

loader = importlib.machinery.SourceFileLoader("check", str(pathlib.Path(__file__).with_name("check")))
check = importlib.util.module_from_spec(importlib.util.spec_from_loader("check", loader))
loader.exec_module(check)


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, text=""):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file


class Digests(InFolder):
    def setUp(self):
        super().setUp()
        self.write("package/Package.swift", "a")
        self.write("package/Sources/A.swift", "b")
        self.former = self.digest()

    def digest(self):
        return check.digest(self.root / "package")

    def test_content_and_paths_count(self):
        self.write("package/Sources/A.swift", "c")
        changed = self.digest()
        (self.root / "package/Sources/A.swift").rename(self.root / "package/Sources/B.swift")
        self.assertEqual(len({self.former, changed, self.digest()}), 3)

    def test_a_file_that_no_commit_has_counts(self):
        self.write("package/Sources/New.swift")
        self.assertNotEqual(self.digest(), self.former)

    def test_a_link_is_what_it_leads_to(self):
        self.write("elsewhere/A.swift", "b")
        (self.root / "package/Sources/A.swift").unlink()
        (self.root / "package/Sources").rmdir()
        (self.root / "package/Sources").symlink_to("../elsewhere")
        self.assertEqual(self.digest(), self.former)

    def test_what_no_compiler_reads_does_not_count(self):
        self.write("package/.git/HEAD", "d")
        self.write("package/.spi.yml", "e")
        self.write("package/Submodule/.git", "f")
        self.write("package/Submodule/A.c", "g")
        self.assertEqual(self.digest(), self.former)


class Differences(unittest.TestCase):
    PINNED = {("swift", "toolchain"): ("6.2", "-"), ("package", "a"): ("1.0", "x"), ("debian", "b"): ("1-2", "-")}

    def differences(self, **found):
        return list(check.differences(self.PINNED, {**self.PINNED, **found.pop("changed", {})}))

    def test_what_is_the_same_is_no_difference(self):
        self.assertEqual(self.differences(), [])

    def test_another_version_and_another_content_are_named_and_told_apart(self):
        self.assertEqual(
            self.differences(changed={("package", "a"): ("1.1", "y")}),
            [("package a is 1.1, and pinned is 1.0", False)])
        self.assertEqual(
            self.differences(changed={("package", "a"): ("1.0", "y")}),
            [("package a 1.0 has another content than it had when it was pinned", True)])

    def test_a_package_that_came_or_went_is_named(self):
        found = {("package", "c"): ("2.0", "z")}
        self.assertEqual(
            list(check.differences(self.PINNED, found)),
            [("package a is pinned, and not in the build", False), ("package c 2.0 is not pinned", False)],
            "a debug build links no archives, which is no difference")


class Files(InFolder):
    def test_the_file_is_read_as_it_is_written(self):
        self.assertEqual(check.read(self.write("sources", check.text(Differences.PINNED))), Differences.PINNED)


class References(InFolder):
    def unpinned(self, name, text):
        self.write(name, text)
        return list(check.unpinned(self.root))

    def test_an_image_without_a_digest_is_named_with_its_line_and_a_command(self):
        lines = ("ARG SWIFT=swift:6.2\nFROM ${SWIFT} AS program\n"
                 "FROM debian@sha256:0 AS debian\nFROM debian\nFROM scratch\n")
        self.assertEqual(self.unpinned("deploy/container/Dockerfile", lines), [
            "deploy/container/Dockerfile:2: swift:6.2 is not pinned; "
            "`docker buildx imagetools inspect swift:6.2` prints what to add"])

    def test_an_action_is_pinned_by_a_commit_alone(self):
        lines = f"steps:\n  - uses: actions/cache@v4\n  - uses: actions/cache@{'0a' * 20} # v4\n  - uses: ./own\n"
        self.assertEqual(self.unpinned(".github/workflows/test.yml", lines), [
            ".github/workflows/test.yml:2: actions/cache@v4 is not pinned; "
            "`git ls-remote https://github.com/actions/cache v4` prints what to add"])

    def test_this_projects_own_images_are_not_named(self):
        lines = "image: skynet\nimage: registry.example/skynet:1.0\nimage: ${SKYNET_IMAGE:-skynet}\nimage: redis:7\n"
        named = self.unpinned("deploy/kubernetes/job.yaml", lines)
        self.assertEqual([line.split()[1] for line in named], ["redis:7"])


if __name__ == "__main__":
    unittest.main()

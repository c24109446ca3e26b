import ArgumentParser

@main struct SkyNet: AsyncParsableCommand { func run() async throws {} }

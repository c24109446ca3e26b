"""Scans an image on a Ray cluster: the one of RAY_ADDRESS, or of this machine alone. Its nodes need `skynet` in PATH, and
see the image and its catalogue's folder.

    python scan.py IMAGE CATALOG SHARES [OPTION...]               # options of the scan, as of `skynet engage --image`

Each task scans one share of the sectors. A share that is lost with its worker is scanned again by another one. The
catalogue is that of `skynet engage --image IMAGE --catalog CATALOG`, to the byte.
"""
import os
import subprocess
import sys

import ray

image, catalog = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
shares, options, background = int(sys.argv[3]), sys.argv[4:], catalog + ".background"


def skynet(command, *arguments):
    done = subprocess.run(["skynet", command, "--image", image, *arguments], stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"skynet {command} ended with {done.returncode}: {done.stderr}")
    print(done.stderr, end="")


@ray.remote(max_retries=3)
def scan(share, step, *arguments):
    output = f"{catalog}.{step}-{share}"
    skynet("scan", *arguments, "--share", f"{share}/{shares}", "--output", output)
    return output


def scan_all(*arguments):
    return ray.get([scan.remote(share, *arguments) for share in range(shares)])


ray.init()
sky = scan_all("sky", "--background", *options)
skynet("merge", "--background", *options, "--output", background, *sky)
sources = scan_all("sources", "--background-file", background)
skynet("merge", "--background-file", background, "--catalog", catalog, *sources)
for file in [background, *sky, *sources]:
    os.remove(file)

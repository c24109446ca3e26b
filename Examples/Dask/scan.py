"""Scans an image on a Dask cluster. The workers need `skynet` in PATH, and see the image and its catalogue's folder.

    python scan.py SCHEDULER IMAGE CATALOG SHARES [OPTION...]     # options of the scan, as of `skynet engage --image`

Each task scans one share of the sectors. A share that is lost with its worker is scanned again by another one. The
catalogue is that of `skynet engage --image IMAGE --catalog CATALOG`, to the byte.
"""
import os
import subprocess
import sys

from distributed import Client

image, catalog = os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
shares, options, background = int(sys.argv[4]), sys.argv[5:], catalog + ".background"


def skynet(command, *arguments):
    done = subprocess.run(["skynet", command, "--image", image, *arguments], stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"skynet {command} ended with {done.returncode}: {done.stderr}")
    print(done.stderr, end="")


def scan(share, step, *arguments):
    output = f"{catalog}.{step}-{share}"
    skynet("scan", *arguments, "--share", f"{share}/{shares}", "--output", output)
    return output


def scan_all(*arguments):
    return client.gather([client.submit(scan, share, *arguments, pure=False) for share in range(shares)])


client = Client(sys.argv[1])
sky = scan_all("sky", "--background", *options)
skynet("merge", "--background", *options, "--output", background, *sky)
sources = scan_all("sources", "--background-file", background)
skynet("merge", "--background-file", background, "--catalog", catalog, *sources)
for file in [background, *sky, *sources]:
    os.remove(file)

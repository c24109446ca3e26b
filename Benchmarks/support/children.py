"""Shared by the programs here: waits for a child process, and returns its resource usage."""
import os


def ended(child):
    """Waits for a process of `subprocess.Popen` to end, leaves its `returncode`, and returns its resource usage."""
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage


def processor_time(usage):
    """Seconds, user and system."""
    return usage.ru_utime + usage.ru_stime

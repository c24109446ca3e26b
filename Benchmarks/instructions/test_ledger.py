#!/usr/bin/env python3
"""Tests of the ledger: what is read of a profile, what counts as grown, and what is written. Needs no valgrind."""
import contextlib
import io
import os
import tempfile
import unittest

import instructions
import ledger
from ledger import Figure
from valgrind import Profile, read_profile
from work import ALONE, Work

PROFILE = """\
events: Ir
fn=(1) main
0 10
cfn=(2) decode
calls=2 0
0 90
fn=(2)
0 40
cfn=(3) malloc
calls=3 0
0 30
cfi=(7)
cfn=(4) decode'2
calls=1 0
0 20
fn=(4)
0 20
fn=(3)
0 30
cfn=(5) calloc
calls=1 0
0 0
"""


def figure(instructions, why="", **functions):
    return Figure(instructions, 7, 50, functions, why)


WORKS = [Work(["task"], None, ALONE)]


class Profiles(unittest.TestCase):
    def test_own_instructions_and_allocations_are_read(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(PROFILE)
            file.flush()
            profile = read_profile(file.name)
        # What calls itself is one function, and what an allocator calls is no other allocation.
        self.assertEqual(profile.functions, {"main": 10, "decode": 60, "malloc": 30})
        self.assertEqual((profile.instructions, profile.allocations), (100, 3))

    def test_a_task_is_what_a_long_run_has_more(self):
        task = Profile({"a": 500, "b": 80}, 30).of_each(Profile({"a": 100, "b": 80}, 10), 10)
        self.assertEqual((task.functions, task.allocations), ({"a": 40}, 2))


class Growth(unittest.TestCase):
    def judged(self, now, before):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            status = instructions.judge(WORKS, {"task": now}, {"task": before})
        return status, said.getvalue()

    def test_two_hundredths_fail_and_have_their_place(self):
        before = figure(10_000, decode=4000, encode=3000)
        status, said = self.judged(figure(10_200, decode=4010, encode=3190), before)
        self.assertEqual(status, 1)
        self.assertIn("grown: task: instructions by 2.0%", said)
        self.assertIn("most in encode: +190 of its own", said)

    def test_less_than_a_hundredth_passes(self):
        self.assertEqual(self.judged(figure(10_090), figure(10_000))[0], 0)

    def test_what_has_fallen_passes_and_is_told(self):
        status, said = self.judged(figure(9_000), figure(10_000))
        self.assertEqual(status, 0)
        self.assertIn("fallen: task: instructions by 10.0%", said)

    def test_a_function_that_was_not_listed_may_have_been_there(self):
        # Up to a two-hundredth of the figure, which is 50.
        now = figure(10_200, decode=4060, new=200)
        self.assertEqual(now.grown_most(figure(10_000, decode=4000)), ("new", 150))


class Writing(unittest.TestCase):
    def test_only_what_has_changed_is_written_with_its_reason(self):
        figures = {"task": figure(10_000, "first")}
        self.assertEqual(ledger.update(figures, {"task": figure(10_090)}, WORKS, "small", False), [])
        self.assertEqual((figures["task"].instructions, figures["task"].why), (10_000, "first"))
        self.assertEqual(ledger.update(figures, {"task": figure(10_200)}, WORKS, "paid", False), ["task"])
        self.assertEqual((figures["task"].instructions, figures["task"].why), (10_200, "paid"))

    def test_other_versions_have_other_figures(self):
        figures = {"task": figure(10_000, "first")}
        self.assertEqual(ledger.update(figures, {"task": figure(10_090)}, WORKS, "new Swift", True), ["task"])

    def test_what_is_written_is_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ledger.tsv")
            ledger.save(path, {"swift": "6.3.1"}, {"task, node": figure(1000, "because", decode=400, rare=4)})
            versions, figures = ledger.load(path)
        self.assertEqual(versions, {"swift": "6.3.1"})
        read = figures["task, node"]
        self.assertEqual((read.instructions, read.allocations, read.peak, read.why), (1000, 7, 50, "because"))
        self.assertEqual(read.functions, {"decode": 400})


if __name__ == "__main__":
    unittest.main()

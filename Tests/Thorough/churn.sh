# shellcheck shell=bash
#: churn
#: The cost of a node in a crash loop, and of a link that is cut each second, for a run.
#: Target: 1.15 times the time without the fault.
#
# A node with eight slots lives for two seconds and comes back 0.2 s later, on the same port and on
# another one each time. Beside it are four local slots, which alone take 45 s for 60 sectors of 3
# s. Then the engagement makes 60 scans of 2 s with only one system, behind the link that is cut:
# all of them must end. Takes three minutes.

endurance_test 'ChurnTests|ShortConnectionTests'

# shellcheck shell=bash
#: churn
#: What a node in a loop of crashes costs a run, and a link that is cut each second.
#: Target: 1.15 times the time without the trouble.
#
# Eight slots live for two seconds and come back 0.2 s later, on the same port and on another each time.
# Beside them are four local slots, which alone take 45 s for 60 sectors of 3 s. Then the engagement does
# 60 scans of 2 s with no other system than one behind the link that is cut: all of them must end. Takes
# three minutes.

endurance_test 'ChurnTests|ShortConnectionTests'

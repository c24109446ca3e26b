// What a process of tests does before it begins: see start.c.

long skynet_tests_width(void);

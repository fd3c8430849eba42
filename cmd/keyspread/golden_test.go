package main

import "flag"

// update rewrites the expected output of tests: make golden.
var update = flag.Bool("update", false, "rewrite the expected output in testdata")

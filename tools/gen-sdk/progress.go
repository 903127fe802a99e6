package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// progress shows one line on a terminal and nothing elsewhere.
type progress struct {
	out io.Writer
}

func newProgress(file *os.File) progress {
	if term.IsTerminal(int(file.Fd())) {
		return progress{file}
	}
	return progress{io.Discard}
}

// eraseLine moves to the start of the line and erases it.
const eraseLine = "\r\x1b[2K"

func (p progress) show(stage string) {
	fmt.Fprint(p.out, eraseLine, stage, " …")
}

func (p progress) clear() {
	fmt.Fprint(p.out, eraseLine)
}

// Reads and writes what this package publishes: documents, ids and the database, with nothing but its schema files and DDL.
//
//	program conformance               answers the conformance corpus on standard input
//	program writer STORE COMMAND …    writes turn intents into a store
//	program mistakes STORE            tries what the store refuses
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "conformance":
		return answerAll(os.Stdin, os.Stdout)
	case len(args) >= 3 && args[0] == "writer":
		return write(args[1], args[2], args[3:])
	case len(args) == 2 && args[0] == "mistakes":
		return tryMistakes(args[1])
	}
	return fmt.Errorf("usage: program conformance | writer STORE COMMAND … | mistakes STORE")
}

// published is where a published file or folder is, by the variable that the conformance runner sets.
func published(variable, otherwise string) string {
	if path := os.Getenv(variable); path != "" {
		return path
	}
	return otherwise
}

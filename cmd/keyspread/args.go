package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst moves the flags of a command line before its other arguments, since
// urfave/cli stops looking for flags at the first argument. What follows -- stays
// an argument. A flag given twice is refused: urfave/cli would drop the first.
func flagsFirst(app *cli.App, args []string) ([]string, error) {
	if len(args) == 0 {
		return args, nil
	}
	switch args[0] {
	case "help": // as many tools spell it
		return append(args[1:], "--help"), nil
	case "version":
		return []string{"--version"}, nil
	}
	command := app.Command(args[0])
	if command == nil {
		return args, nil
	}
	takesValue, full, seen := map[string]bool{}, map[string]string{}, map[string]bool{}
	for _, f := range command.Flags {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			takesValue[name], full[name] = !isBool, f.Names()[0]
		}
	}

	flags, rest := []string{args[0]}, []string{}
	for i := 1; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			rest = append(rest, args[i+1:]...)
			i = len(args)
		case len(arg) < 2 || arg[0] != '-':
			rest = append(rest, arg)
		default:
			name, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			value, known := takesValue[name]
			if !known && name != "help" && name != "h" {
				return nil, usagef("%s: unknown flag %s (keyspread %[1]s --help lists them; an argument that begins with - goes after --)", command.Name, arg)
			}
			if known && seen[full[name]] {
				return nil, usagef("%s: flag --%s is given twice: give it once (lists are separated by commas, as in -p 6,12)", command.Name, full[name])
			}
			seen[full[name]] = true
			flags = append(flags, arg)
			if value && !hasValue {
				if i+1 == len(args) {
					return nil, usagef("%s: flag %s needs a value", command.Name, arg)
				}
				i++
				flags = append(flags, args[i])
			}
		}
	}
	return append(append(flags, "--"), rest...), nil
}

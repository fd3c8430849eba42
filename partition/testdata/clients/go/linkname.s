// Empty: lets the Go compiler accept the functions without body that are linked by name.

// Command keyspread tells where Kafka keys will land, what it costs, and what
// happens when they change. Run keyspread without arguments for its commands.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/keyspread/keyspread/reports"
)

// grace is how long an interrupted command may take to stop by itself.
const grace = 300 * time.Millisecond

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	done := make(chan int, 1)
	go func() { done <- run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr) }()
	os.Exit(await(ctx, stop, done))
}

// await returns the exit code of a command, or, if it is interrupted and does
// not stop by itself (it may wait for a pipe, or compute), fails in its place.
// Half-written files are removed. From the first signal on, a second one kills.
func await(ctx context.Context, stop func(), done <-chan int) int {
	select {
	case code := <-done:
		return code
	case <-ctx.Done():
	}
	stop()
	select {
	case code := <-done:
		return code
	case <-time.After(grace):
		reports.RemoveUnfinished()
		fmt.Fprintln(os.Stderr, "keyspread: interrupted")
		return exitFailure
	}
}

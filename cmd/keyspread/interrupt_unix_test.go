//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterrupt sends real signals to commands that wait for input or compute:
// each stops within a second, fails, and leaves no file behind.
func TestInterrupt(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for line, sig := range map[string]os.Signal{
		"map --client java -p 12":                   os.Interrupt,
		"map --client java -p 12 -o %s":             syscall.SIGTERM,
		"spread - -o %s":                            syscall.SIGTERM,
		"spread " + fifo + " -o %s":                 os.Interrupt,
		"map --detect " + fifo + " -o %s":           os.Interrupt,
		"spread example:npm -p 900000 --client all": syscall.SIGTERM,
		"map --client java -p 12 key -o " + fifo:    os.Interrupt,
	} {
		dir := t.TempDir()
		args := strings.Fields(strings.Replace(line, "%s", filepath.Join(dir, "out"), 1))
		code, took := interrupt(t, args, sig)
		if code != exitFailure || took > time.Second {
			t.Errorf("keyspread %s: exit code %d after %v", line, code, took)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("keyspread %s: left %v behind (%v)", line, left, err)
		}
	}
}

// interrupt starts the command, lets it begin, sends the signal and returns its
// exit code and how long it took to stop. On a busy machine the signal may come
// before the command listens, which kills it: then once more, with more time.
func interrupt(t *testing.T, args []string, sig os.Signal) (code int, took time.Duration) {
	t.Helper()
	for wait := 200 * time.Millisecond; ; wait *= 2 {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), asCommand+"=1")
		stdin, err := cmd.StdinPipe() // never written to
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		begun := time.Now()
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		took = time.Since(begun)
		stdin.Close()
		if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || wait > 5*time.Second {
			return cmd.ProcessState.ExitCode(), took
		}
	}
}

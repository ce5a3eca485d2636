package dev

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// settle is how long it must be quiet before files are looked at: an editor that saves a file
	// writes another one and renames it, or empties the file and fills it.
	settle = 40 * time.Millisecond
	// settleLimit is how long is waited at most where it never is quiet.
	settleLimit = 400 * time.Millisecond
	// pollInterval is between two looks where the system tells of no changes, pollAnyway where it
	// should: not every file system does.
	pollInterval = 250 * time.Millisecond
	pollAnyway   = 2 * time.Second
)

// watcher tells that files may have changed. It never tells which: who is told looks.
type watcher struct {
	C       <-chan struct{}
	Polling error // why it has to look again and again, nil where the system tells
	stop    context.CancelFunc
}

// watch watches the folders, with what is below them, until ctx ends or stop is called. Folders
// that come later are watched too.
func watch(ctx context.Context, dirs ...string) *watcher {
	c := make(chan struct{}, 1)
	ctx, stop := context.WithCancel(ctx)
	w := &watcher{C: c, stop: stop}
	system, err := fsnotify.NewWatcher()
	if err == nil {
		if err = addFolders(system, dirs...); err != nil {
			_ = system.Close()
		}
	}
	if err != nil {
		w.Polling = err
		go poll(ctx, c, pollInterval)
		return w
	}
	go func() {
		defer system.Close()
		listen(ctx, system, c)
	}()
	return w
}

// addFolders watches folders and all below, but for those that hold nothing of a module. One that
// is not there can't be watched; its parent is.
func addFolders(system *fsnotify.Watcher, dirs ...string) error {
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil || !entry.IsDir():
				return err
			case path != dir && isForeign(path, entry.Name()):
				return fs.SkipDir
			}
			err = system.Add(path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// listen passes on what the system tells, once it is quiet.
func listen(ctx context.Context, system *fsnotify.Watcher, c chan<- struct{}) {
	anyway := time.NewTicker(pollAnyway)
	defer anyway.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-anyway.C:
		case _, ok := <-system.Errors: // events were lost
			if !ok {
				return
			}
		case event := <-system.Events:
			if event.Op == fsnotify.Chmod {
				continue
			}
			settleDown(ctx, system, event)
		}
		tell(c)
	}
}

// settleDown waits until nothing happens any more.
func settleDown(ctx context.Context, system *fsnotify.Watcher, event fsnotify.Event) {
	limit := time.After(settleLimit)
	for {
		if event.Op.Has(fsnotify.Create) {
			_ = addFolders(system, event.Name) // does nothing for a file; the next look finds what it misses
		}
		select {
		case <-ctx.Done():
			return
		case <-limit:
			return
		case <-time.After(settle):
			return
		case event = <-system.Events:
		}
	}
}

// poll tells again and again.
func poll(ctx context.Context, c chan<- struct{}, interval time.Duration) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			tell(c)
		}
	}
}

// tell puts a value where there is none yet.
func tell(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

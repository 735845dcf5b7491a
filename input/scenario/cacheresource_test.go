package scenario_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
)

// registerCache gives an environment the cache "scenario_files": one file an item, replaced at once. The runtime's cache of files
// writes in place, so that a reader may see half an item.
func registerCache(env *service.Environment) error {
	return env.RegisterCache("scenario_files", service.NewConfigSpec().Field(service.NewStringField("directory")),
		func(conf *service.ParsedConfig, _ *service.Resources) (service.Cache, error) {
			dir, err := conf.FieldString("directory")
			return fileCache{dir}, err
		})
}

type fileCache struct{ dir string }

func (c fileCache) Get(_ context.Context, key string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(c.dir, key))
	if errors.Is(err, fs.ErrNotExist) {
		if _, gone := os.Stat(c.dir); gone != nil {
			return nil, gone
		}
		return nil, service.ErrKeyNotFound
	}
	return data, err
}

func (c fileCache) Set(_ context.Context, key string, value []byte, _ *time.Duration) error {
	name := filepath.Join(c.dir, key)
	if err := os.WriteFile(name+".new", value, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

func (c fileCache) Add(ctx context.Context, key string, value []byte, ttl *time.Duration) error {
	if _, err := os.Stat(filepath.Join(c.dir, key)); err == nil {
		return service.ErrKeyAlreadyExists
	}
	return c.Set(ctx, key, value, ttl)
}

func (c fileCache) Delete(_ context.Context, key string) error {
	return os.Remove(filepath.Join(c.dir, key))
}

func (fileCache) Close(context.Context) error { return nil }

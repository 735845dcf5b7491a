package oracle

import "context"

// Storage is what the stored bytes of a container's values depend on, as the dictionary names it. Pluggable databases have their own.
type Storage struct {
	// CharacterSet is that of CHAR and VARCHAR2, National that of NCHAR and NVARCHAR2.
	CharacterSet, National string
	// TimeZone is DBTIMEZONE: an offset such as +02:00, or a region.
	TimeZone string
}

// ReadStorage reads it of every container that is open, by CON_ID; that of a database without containers is 0.
func ReadStorage(ctx context.Context, s *Session) (map[int]Storage, error) {
	storage := map[int]Storage{}
	var id, name, value Text
	err := s.Each(ctx, storageProperties, nil, []any{&id, &name, &value}, func() error {
		var container int
		if err := Numbers(Number{"CON_ID", id, &container}); err != nil {
			return err
		}
		of := storage[container]
		switch name {
		case "NLS_CHARACTERSET":
			of.CharacterSet = string(value)
		case "NLS_NCHAR_CHARACTERSET":
			of.National = string(value)
		default:
			of.TimeZone = string(value)
		}
		storage[container] = of
		return nil
	})
	return storage, err
}

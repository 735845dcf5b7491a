package oracletest

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// Control is the HTTP interface for what no Oracle client can ask for (contracts 9):
//
//	GET  /stats                        the server's Stats
//	POST /switch                       ALTER SYSTEM SWITCH LOGFILE
//	POST /purge?before=SCN[&rm=true]   remove archived logs: as RMAN does, or behind the control file's back
//	POST /load?rows=N[&pdb=NAME][&keep=K]  insert N generated rows without the wire; with keep, delete all but the newest K
//	POST /expire-undo[?before=SCN]     let undo of commits up to an SCN (all so far) be overwritten: ORA-01555 for who reads from before
//	GET  /warts                        the redo.Warts that are set, by the names of their fields
//	POST /warts                        change those that the JSON object in the body names
func (s *Server) Control() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stats", func(w http.ResponseWriter, _ *http.Request) { answer(w, s.Stats()) })
	mux.HandleFunc("POST /switch", func(w http.ResponseWriter, r *http.Request) {
		if err := s.SwitchLogfile(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		answer(w, s.Stats())
	})
	mux.HandleFunc("POST /purge", func(w http.ResponseWriter, r *http.Request) {
		before, err := strconv.ParseUint(r.FormValue("before"), 10, 64)
		if err != nil {
			http.Error(w, "before: an SCN is needed", http.StatusBadRequest)
			return
		}
		purge := s.PurgeArchived
		if rm, _ := strconv.ParseBool(r.FormValue("rm")); rm {
			purge = s.RemoveArchived
		}
		answer(w, map[string]int{"purged": purge(redo.SCN(before))})
	})
	mux.HandleFunc("POST /expire-undo", func(w http.ResponseWriter, r *http.Request) {
		before := s.CurrentSCN()
		if text := r.FormValue("before"); text != "" {
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				http.Error(w, "before: an SCN is needed", http.StatusBadRequest)
				return
			}
			before = redo.SCN(n)
		}
		s.ExpireUndo(before)
		answer(w, map[string]redo.SCN{"before": before})
	})
	mux.HandleFunc("POST /load", s.serveLoad)
	mux.HandleFunc("GET /warts", func(w http.ResponseWriter, _ *http.Request) { answer(w, s.Warts()) })
	mux.HandleFunc("POST /warts", s.serveWarts)
	return mux
}

func (s *Server) serveLoad(w http.ResponseWriter, r *http.Request) {
	rows, err := strconv.Atoi(r.FormValue("rows"))
	if err != nil || rows < 0 {
		http.Error(w, "rows: a number is needed", http.StatusBadRequest)
		return
	}
	keep := 0
	if text := r.FormValue("keep"); text != "" {
		if keep, err = strconv.Atoi(text); err != nil || keep < 1 {
			http.Error(w, "keep: a number above 0 is needed", http.StatusBadRequest)
			return
		}
	}
	if err := s.LoadKeeping(r.Context(), r.FormValue("pdb"), rows, keep); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, map[string]int{"rows": rows})
}

// maxWarts is more than the names and values of all warts take.
const maxWarts = 64 << 10

func (s *Server) serveWarts(w http.ResponseWriter, r *http.Request) {
	warts := s.Warts()
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxWarts))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&warts); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := s.SetWarts(warts); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer(w, s.Warts())
}

func answer[T any](w http.ResponseWriter, value T) {
	w.Header().Set("Content-Type", "application/json")
	// The client that does not read its answer is the only one to lose by an error here.
	_ = json.NewEncoder(w).Encode(value)
}

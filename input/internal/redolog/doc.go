// Package redolog knows the redo logs of the database: which there are, whether they follow one another without a gap,
// and which of them a mining step reads up to which bound.
//
//	Read(ctx, session, incarnation, since) (Inventory, error)    V$LOG, V$LOGFILE, V$ARCHIVED_LOG of one destination
//	Inventory.Start(scn) ([]position.Mark, error)                where a first start begins (R89)
//	Inventory.Plan(from, reading, logs) (Step, error)            bound and logs of the next step (R2, R6, R7, R12)
//	Step.Verify(ctx, session) error                              online logs that were read are still the same (R10)
//	Step.After(addresses) position.Boundary                      the boundary that a verified step makes (R4, R6)
//	Inventory.Replay(step) (Step, Build, error)                  the same step with the dictionary of its time (R45)
//	Inventory.Built() bool                                       whether a later step could be mined so
//	Pace                                                         logs per step while behind (R12)
//
// Everything but Read and Verify is a pure function of an Inventory. It opens no files, mines nothing and keeps no
// position. It is called by logminer and by the engine and owns no goroutine.
package redolog

package main

// The components of the distribution register themselves.
import _ "github.com/oracle-cdc/redpanda-connect-oracle/bundle"

package workload

import "github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"

// Owner of the tables.
const Owner = "APP"

// Orders has a key of one column, Items one of two.
var (
	Orders = &ledger.Table{Owner: Owner, Name: "ORDERS", Columns: []ledger.Column{
		{Name: "ID", Kind: ledger.Integer, Key: true},
		{Name: "CUSTOMER", Kind: ledger.Text},
		{Name: "STATUS", Kind: ledger.Text},
		{Name: "AMOUNT", Kind: ledger.Decimal, Scale: 2},
		{Name: "PLACED", Kind: ledger.Date},
		{Name: "CHANGED", Kind: ledger.Timestamp},
		{Name: ledger.TagColumn, Kind: ledger.Text},
	}}
	Items = &ledger.Table{Owner: Owner, Name: "ITEMS", Columns: []ledger.Column{
		{Name: "ORDER_ID", Kind: ledger.Integer, Key: true},
		{Name: "LINE", Kind: ledger.Integer, Key: true},
		{Name: "SKU", Kind: ledger.Text},
		{Name: "QTY", Kind: ledger.Integer},
		{Name: "WEIGHT", Kind: ledger.Variable},
		{Name: "CHECKSUM", Kind: ledger.Raw},
		{Name: ledger.TagColumn, Kind: ledger.Text},
	}}
)

// Tables lists them.
func Tables() []*ledger.Table { return []*ledger.Table{Orders, Items} }

// Setup is the script that makes the tables, as SYSTEM at the root.
func Setup(pdb string) string {
	return `ALTER SESSION SET CONTAINER = ` + pdb + `;
CREATE TABLE APP.ORDERS (
  ID       NUMBER(10) NOT NULL,
  CUSTOMER VARCHAR2(80),
  STATUS   CHAR(8),
  AMOUNT   NUMBER(12,2),
  PLACED   DATE,
  CHANGED  TIMESTAMP(6),
  TAG      VARCHAR2(32),
  CONSTRAINT ORDERS_PK PRIMARY KEY (ID)
);
ALTER TABLE APP.ORDERS ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;
CREATE TABLE APP.ITEMS (
  ORDER_ID NUMBER(10) NOT NULL,
  LINE     NUMBER(5) NOT NULL,
  SKU      VARCHAR2(40),
  QTY      NUMBER(5),
  WEIGHT   NUMBER,
  CHECKSUM RAW(16),
  TAG      VARCHAR2(32),
  CONSTRAINT ITEMS_PK PRIMARY KEY (ORDER_ID, LINE)
);
ALTER TABLE APP.ITEMS ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;
`
}

package tns

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

func bytesOf(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" |\n\t", r) }), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The bytes of reference tns-server 4.
func TestAcceptBytes(t *testing.T) {
	want := bytesOf(t, `
		00 2d 00 00 02 00 00 00 | 01 3d 08 01 20 00 ff ff 00 01 00 00 00 2d 04 08
		00 00 00 00 00 00 00 00 | 00 00 20 00 00 20 00 00 | 00 00 00 00 00`)
	if got := (Accept{Version: 317, SDU: 8192}).Encode(nil); !bytes.Equal(got, want) {
		t.Errorf("got  % x\nwant % x", got, want)
	}
}

// The interrupt marker of reference tns-server 14.4, and the form in front of ACCEPT.
func TestMarkerBytes(t *testing.T) {
	for _, tc := range []struct {
		wide bool
		want string
	}{
		{true, "00 00 00 0B 0C 00 00 00 01 00 03"},
		{false, "00 0B 00 00 0C 00 00 00 01 00 03"},
	} {
		got := AppendMarker(nil, tc.wide, MarkerInterrupt)
		if !bytes.Equal(got, bytesOf(t, tc.want)) {
			t.Errorf("wide %t: % x", tc.wide, got)
		}
		p, err := ReadPacket(bytes.NewReader(got), tc.wide)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := p.Marker(); err != nil || m != MarkerInterrupt {
			t.Errorf("marker %d, error %v", m, err)
		}
	}
}

func TestRefuseCarriesTheCode(t *testing.T) {
	got := (Refuse{Code: 12514}).Encode(nil)
	if int(binary.BigEndian.Uint16(got)) != len(got) || got[4] != byte(TypeRefuse) {
		t.Errorf("header % x", got[:8])
	}
	if text := got[12:]; int(binary.BigEndian.Uint16(got[10:])) != len(text) || !bytes.Contains(text, []byte("(ERR=12514)")) {
		t.Errorf("text %q", text)
	}
}

func TestSettlement(t *testing.T) {
	for _, tc := range []struct {
		version      uint16
		client, mine int
		want         Accept
		ok           bool
	}{
		{317, 2 << 20, 8192, Accept{317, 8192}, true},
		{319, 4096, 8192, Accept{317, 4096}, true},
		{315, 100, 8192, Accept{315, 512}, true},
		{314, 8192, 8192, Accept{314, 8192}, false},
	} {
		if got, ok := Answer(Connect{Version: tc.version, SDU: tc.client}, tc.mine); got != tc.want || ok != tc.ok {
			t.Errorf("%+v: got %+v %t", tc, got, ok)
		}
	}
}

// connect builds a CONNECT packet with the descriptor inside or announced.
func connect(version uint16, fixed int, sdu uint32, descriptor string, inside bool) Packet {
	b := append([]byte(nil), make([]byte, fixed)...)
	binary.BigEndian.PutUint16(b[8:], version)
	binary.BigEndian.PutUint16(b[14:], uint16(min(sdu, 0xFFFF)))
	binary.BigEndian.PutUint16(b[24:], uint16(len(descriptor)))
	binary.BigEndian.PutUint16(b[26:], uint16(fixed))
	binary.BigEndian.PutUint32(b[58:], sdu)
	if inside {
		b = append(b, descriptor...)
	}
	return Packet{Type: TypeConnect, Body: b[headerSize:]}
}

func TestConnectDecode(t *testing.T) {
	const descriptor = "(DESCRIPTION=(CONNECT_DATA=(SERVICE_NAME=A)))"
	for _, tc := range []struct {
		name string
		p    Packet
		want Connect
		ok   bool
	}{
		{"go-ora", connect(317, 70, 2<<20, descriptor, true), Connect{317, 2 << 20, descriptor, len(descriptor)}, true},
		{"others", connect(319, 74, 8192, descriptor, true), Connect{319, 8192, descriptor, len(descriptor)}, true},
		{"descriptor follows", connect(317, 70, 65536, descriptor, false), Connect{317, 65536, "", len(descriptor)}, true},
		{"too short", Packet{Type: TypeConnect, Body: make([]byte, 20)}, Connect{}, false},
		{"another packet", Packet{Type: TypeData, Body: make([]byte, 80)}, Connect{}, false},
		{"offset inside", connect(317, 62, 8192, descriptor, true), Connect{317, 8192, descriptor, len(descriptor)}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got Connect
			err := got.Decode(tc.p)
			if (err == nil) != tc.ok || tc.ok && got != tc.want {
				t.Errorf("got %+v, error %v", got, err)
			}
		})
	}
}

func TestService(t *testing.T) {
	for _, tc := range []struct{ descriptor, want string }{
		{"(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=x)(PORT=1))(CONNECT_DATA=(SERVICE_NAME=FREEPDB1)(CID=(PROGRAM=a))))", "FREEPDB1"},
		{"(description = (connect_data = ( service_name = free ) (server=dedicated)))", "free"},
		{"(DESCRIPTION=(CONNECT_DATA=(SID=ORCL)))", "ORCL"},
		{"(CONNECT_DATA=(SID=B)(SERVICE_NAME=A))", "A"},
		{"(CONNECT_DATA=(CID=(PROGRAM=SERVICE_NAME)))", ""},
		{"(CONNECT_DATA=(SERVICE_NAME=))", ""},
		{"", ""},
		{"((((", ""},
	} {
		got, err := Service(tc.descriptor)
		if got != tc.want || (tc.want == "") != errors.Is(err, ErrNoService) {
			t.Errorf("%s: %q, error %v", tc.descriptor, got, err)
		}
	}
}

func TestDataRoundTrip(t *testing.T) {
	for _, wide := range []bool{true, false} {
		p, err := ReadPacket(bytes.NewReader(AppendData(nil, wide, FlagEndOfSession, []byte("abc"))), wide)
		if err != nil {
			t.Fatal(err)
		}
		flags, payload, err := p.Data()
		if err != nil || flags != FlagEndOfSession || string(payload) != "abc" {
			t.Errorf("flags %x payload %q error %v", flags, payload, err)
		}
	}
}

func FuzzReadPacket(f *testing.F) {
	f.Add(AppendData(nil, true, 0, []byte("abc")), true)
	f.Add(AppendMarker(nil, false, MarkerReset), false)
	f.Add([]byte{0xFF, 0xFF, 0xFF, 0xFF, 6, 0, 0, 0}, true)
	p := connect(317, 70, 8192, "(CONNECT_DATA=(SERVICE_NAME=A))", true)
	f.Add(append(appendHeader(nil, false, TypeConnect, headerSize+len(p.Body)), p.Body...), false)
	f.Fuzz(func(t *testing.T, data []byte, wide bool) {
		p, err := ReadPacket(bytes.NewReader(data), wide)
		if err != nil {
			return
		}
		if len(p.Body)+headerSize > len(data) {
			t.Fatalf("body of %d bytes from %d", len(p.Body), len(data))
		}
		_, _ = p.Marker()
		_, _, _ = p.Data()
		var c Connect
		if c.Decode(p) == nil && len(c.Data) != 0 && len(c.Data) != c.DataLength {
			t.Fatalf("descriptor of %d bytes where %d were announced", len(c.Data), c.DataLength)
		}
		_, _ = Service(c.Data)
	})
}

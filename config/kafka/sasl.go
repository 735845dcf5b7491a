package kafka

import (
	"errors"
	"fmt"

	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/oauth"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

const (
	fieldSASL      = "sasl"
	fieldMechanism = "mechanism"
	fieldUsername  = "username"
	fieldPassword  = "password"
	fieldToken     = "token"
)

const (
	mechanismNone   = "none"
	mechanismPlain  = "PLAIN"
	mechanismScram1 = "SCRAM-SHA-256"
	mechanismScram2 = "SCRAM-SHA-512"
	mechanismOAuth  = "OAUTHBEARER"
)

// saslRule names what a mechanism cannot do without.
const saslRule = `root = if this.type() != "object" { [] } else if ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"].contains(this.mechanism.or("")) &&
  (this.username.or("") == "" || this.password.or("") == "") {
  [ "sasl: mechanism %s needs username and password".format(this.mechanism) ]
} else if this.mechanism.or("") == "OAUTHBEARER" && this.token.or("") == "" {
  [ "sasl: mechanism OAUTHBEARER needs token" ]
}`

// SASL is the field sasl: a list of mechanisms of which the first that the broker knows is used.
func SASL() *service.ConfigField {
	return service.NewObjectListField(fieldSASL,
		service.NewStringAnnotatedEnumField(fieldMechanism, map[string]string{
			mechanismNone:   "No authentication.",
			mechanismPlain:  "User name and password in clear text; use it with TLS only.",
			mechanismScram1: "SCRAM with SHA-256.",
			mechanismScram2: "SCRAM with SHA-512.",
			mechanismOAuth:  "A bearer token.",
		}).Description("The SASL mechanism."),
		service.NewStringField(fieldUsername).Default("").Description("The user, for PLAIN and SCRAM."),
		service.NewStringField(fieldPassword).Default("").Secret().Description("The password, for PLAIN and SCRAM."),
		service.NewStringField(fieldToken).Default("").Secret().Description("The token, for OAUTHBEARER."),
	).Description("How to authenticate. The first mechanism that the broker knows is used.").
		Default([]any{}).
		Example([]any{map[string]any{fieldMechanism: mechanismScram2, fieldUsername: "cdc", fieldPassword: "${KAFKA_PASSWORD}"}}).
		LintRule(saslRule).
		Advanced()
}

func mechanismsOf(conf *service.ParsedConfig) ([]sasl.Mechanism, error) {
	list, err := conf.FieldObjectList(fieldSASL)
	if err != nil {
		return nil, err
	}
	var out []sasl.Mechanism
	for i, item := range list {
		m, err := mechanismOf(item)
		if err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", fieldSASL, i, err)
		}
		if m != nil {
			out = append(out, m)
		}
	}
	return out, nil
}

func mechanismOf(conf *service.ParsedConfig) (sasl.Mechanism, error) {
	name, err := conf.FieldString(fieldMechanism)
	if err != nil {
		return nil, err
	}
	var user, password, token string
	for field, into := range map[string]*string{fieldUsername: &user, fieldPassword: &password, fieldToken: &token} {
		if *into, err = conf.FieldString(field); err != nil {
			return nil, err
		}
	}
	switch name {
	case mechanismPlain, mechanismScram1, mechanismScram2:
		if user == "" || password == "" {
			return nil, fmt.Errorf("mechanism %s needs username and password", name)
		}
	case mechanismOAuth:
		if token == "" {
			return nil, errors.New("mechanism OAUTHBEARER needs token")
		}
	}
	switch name {
	case mechanismNone:
		return nil, nil
	case mechanismPlain:
		return plain.Auth{User: user, Pass: password}.AsMechanism(), nil
	case mechanismScram1:
		return scram.Auth{User: user, Pass: password}.AsSha256Mechanism(), nil
	case mechanismScram2:
		return scram.Auth{User: user, Pass: password}.AsSha512Mechanism(), nil
	case mechanismOAuth:
		return oauth.Auth{Token: token}.AsMechanism(), nil
	default:
		return nil, fmt.Errorf("unknown mechanism %q", name)
	}
}

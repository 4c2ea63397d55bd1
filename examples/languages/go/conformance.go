package main

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"io"
	"os"

	_ "github.com/mattn/go-sqlite3"
)

// A request is one line of the conformance runner.
type request struct {
	ID       int
	Validate string
	Text     *string
	Base64   []byte
	Digest   string
	Parts    json.RawMessage
	Execute  *string
	Before   string
	Setup    string
}

// A corpus answers requests with what is published.
type corpus struct {
	contracts map[string]contract
	ids       ids
	ddl       string
}

// answerAll answers one line after the other, until there is none.
func answerAll(in io.Reader, out io.Writer) error {
	contracts, err := loadContracts()
	if err != nil {
		return err
	}
	ids, err := loadIds()
	if err != nil {
		return err
	}
	ddl, err := os.ReadFile(published("DEFERRED_TURNS_DDL", "generated/ddl.sql"))
	if err != nil {
		return err
	}
	corpus := corpus{contracts, ids, string(ddl)}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var request request
		if err := json.Unmarshal(line, &request); err != nil {
			return err
		}
		answer, err := corpus.answer(request)
		if err != nil {
			return err
		}
		answer["id"] = request.ID
		if err := json.NewEncoder(out).Encode(answer); err != nil {
			return err
		}
	}
}

func (corpus corpus) answer(request request) (object, error) {
	contract, isContract := corpus.contracts[request.Validate]
	switch {
	case isContract:
		_, err := contract.read(request.document())
		return object{"valid": err == nil}, nil
	case request.Digest != "":
		return object{"digest": corpus.idOf(request)}, nil
	case request.Execute != nil:
		return corpus.execute(request)
	}
	return object{"unsupported": "This program does not know the request."}, nil
}

func (request request) document() []byte {
	if request.Text != nil {
		return []byte(*request.Text)
	}
	return request.Base64
}

// idOf is nil where the parts are refused.
func (corpus corpus) idOf(request request) interface{} {
	parts, err := parse(request.Parts)
	if err != nil {
		return nil
	}
	id, err := corpus.ids.of(request.Digest, parts.(object))
	if err != nil {
		return nil
	}
	return id
}

func (corpus corpus) execute(request request) (object, error) {
	database, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		return nil, err
	}
	defer database.Close()
	database.SetMaxOpenConns(1)
	if _, err := database.Exec(request.Before + corpus.ddl + request.Setup); err != nil {
		return nil, err
	}
	_, err = database.Exec(*request.Execute)
	return object{"accepted": err == nil}, nil
}

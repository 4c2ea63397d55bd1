package main

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"syscall"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

const schemaID = "pi-workflows.controller-store.v1"

// openStore opens a store. An empty database becomes one, and one that lacks the guards gets them.
func openStore(path string) (*sql.DB, error) {
	syscall.Umask(0o077)
	database, err := sql.Open("sqlite3", "file:"+url.PathEscape(path)+"?_busy_timeout=5000&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	database.SetMaxOpenConns(1)
	if err := requireStore(database, path); err != nil {
		return nil, err
	}
	ddl, err := os.ReadFile(published("DEFERRED_TURNS_DDL", "generated/ddl.sql"))
	if err != nil {
		return nil, err
	}
	if _, err := database.Exec("PRAGMA journal_mode = WAL"); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("INSERT OR IGNORE INTO schema_info VALUES (1, '%s');", schemaID)
	_, err = database.Exec("BEGIN IMMEDIATE; " + string(ddl) + name + " COMMIT;")
	return database, err
}

// requireStore refuses a database that is something else.
func requireStore(database *sql.DB, path string) error {
	var tables int
	if err := database.QueryRow("SELECT count(*) FROM sqlite_schema WHERE type = 'table'").Scan(&tables); err != nil {
		return err
	}
	if tables == 0 {
		return nil
	}
	var name string
	err := database.QueryRow("SELECT schema_id FROM schema_info").Scan(&name)
	if err == nil && name == schemaID {
		return nil
	}
	return fmt.Errorf("%s is no %s; it was left as it is", path, schemaID)
}

// decide runs one conditional statement; true when it changed a row. The clock is read when nobody else can write.
func decide(database *sql.DB, statement string, values ...interface{}) (bool, error) {
	transaction, err := database.Begin()
	if err != nil {
		return false, err
	}
	defer transaction.Rollback()
	now := time.Now().UTC()
	values = append(values, sql.Named("now", now.UnixMilli()), sql.Named("time", now.Format("2006-01-02T15:04:05.000Z")))
	var intentID string
	err = transaction.QueryRow(statement, values...).Scan(&intentID)
	if err == sql.ErrNoRows {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, transaction.Commit()
}

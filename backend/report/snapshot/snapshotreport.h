// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"
#include "backend/core/snapshot.h"
#include "backend/report/snapshot/statesequence.h"

class QIODevice;

namespace lk {

/// Writes the snapshot as JSON, schema 2: one object with server, scan, limiters, locks, queues,
/// tokens, patterns and findings. Unknown is null, durations are milliseconds, binary names are
/// escaped as \xNN. Payloads never appear, token codes only if codes is Revealed. Writes in pieces,
/// so that memory use stays constant.
void writeJson(const Snapshot& snapshot, QIODevice& out, Codes codes = Codes::Masked);
/// The same of a snapshot whose states are not in it but come one after the other.
void writeJson(const Snapshot& snapshot, const StateSequence& states, QIODevice& out, Codes codes);

// The parts that other reports share with it.
QByteArray serverJson(const ServerFacts& server);
QByteArray scanJson(const ScanCounts& scan);
QByteArray findingJson(const Finding& finding, Codes codes);

/// Returns warnings about the server that the user should read before the data: a replica that is
/// behind, a disk that fails, a clock that is not the server's. Sentences; translated.
QStringList serverNotes(const ServerFacts& server);

inline constexpr int mostTextRows = 200; ///< limit per kind

/// Returns the first states of a kind in the order of writeText(): the worst first, then in the
/// order of all.
std::vector<StatePtr> rowsOf(const StateSequence& all, Kind kind, int most);

/// Writes the snapshot as text for people: a table for each kind that has any, at most
/// maxRows rows each (the rest is counted), the jobs of its queues as far as they were listed, then
/// the findings, what was scanned and what was not.
void writeText(const Snapshot& snapshot, QIODevice& out, Codes codes = Codes::Masked,
               int maxRows = mostTextRows);
/// The same of a snapshot whose states are not in it but come one after the other.
void writeText(const Snapshot& snapshot, const StateSequence& states, QIODevice& out, Codes codes,
               int maxRows = mostTextRows);

/// serverLine() returns the server's endpoint, program, mode, and role or masters. scannedLines()
/// returns what was scanned and what is missing. Both end with a line feed.
QByteArray serverLine(const ServerFacts& server, const ScanCounts& scan);
QByteArray scannedLines(const ScanCounts& scan);

} // namespace lk

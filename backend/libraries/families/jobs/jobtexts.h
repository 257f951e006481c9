// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/reply.h"

#include <QByteArray>
#include <QJsonObject>

#include <optional>

namespace lk {

// Reads texts that libraries store for a job. All reads are bounded, since payloads are untrusted.

/// The reply of TIME in milliseconds; nothing for an error.
std::optional<qint64> serverTimeMs(const Reply& time);

/// "2026-11-22T06:06:44.072671Z" as milliseconds since 1970; nothing for anything else.
std::optional<qint64> isoTimeMs(const QByteArray& text);

/// The uncompressed zlib data. Empty if it is not zlib data or larger than mostBytes.
QByteArray inflated(const QByteArray& zlib, qsizetype mostBytes);

/// The last line that is not empty: the error in a Python traceback.
QByteArray lastLine(const QByteArray& text);

/// The text as a JSON object. Empty if it is something else or larger than mostBytes.
QJsonObject jsonObject(const QByteArray& text, qsizetype mostBytes = 1024 * 1024);

/// A member as text: a string as it is, a number or Boolean as in JSON.
QByteArray jsonText(const QJsonObject& object, const char* name);

} // namespace lk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/reply.h"

#include <QByteArray>
#include <QJsonObject>

#include <optional>

namespace lk {

// What libraries store of a job as text, read with bounds: a payload is anybody's.

/// What TIME replies as milliseconds; nothing for an error.
std::optional<qint64> serverTimeMs(const Reply& time);

/// "2026-11-22T06:06:44.072671Z" as milliseconds since 1970; nothing for anything else.
std::optional<qint64> isoTimeMs(const QByteArray& text);

/// What zlib compressed, if it is that and not larger than the bound when it is unpacked.
QByteArray inflated(const QByteArray& zlib, qsizetype mostBytes);

/// The last line that is not empty: where Python's tracebacks say what happened.
QByteArray lastLine(const QByteArray& text);

/// The object that the text is; empty for anything else or what is larger than the bound.
QJsonObject jsonObject(const QByteArray& text, qsizetype mostBytes = 1024 * 1024);

/// A member of it as text: a string as it is, a number or a truth as it would be written.
QByteArray jsonText(const QJsonObject& object, const char* name);

} // namespace lk

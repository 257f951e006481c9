// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/declaration.h"
#include "backend/core/result.h"

#include <QByteArray>
#include <QString>

#include <functional>

namespace lk {

/// A change to the text of a configuration file. All that it does not change stays as it is, byte
/// for byte: comments, blank lines, order.
struct ConfigEdit
{
    QByteArray text;   ///< of the whole file, after the change
    QByteArray lines;  ///< what was written, without the last line's end
    int firstLine = 0; ///< where that stands, counted from 1
    int lastLine = 0;
};

// Each takes the text as it is ("" for a file that is not there yet) and answers with a text that
// was parsed again and says what was wanted. Errors: BadConfig, as parseConfig() has them; the text
// is left alone then. fileName is for that text.

/// Limit and window of a limiter, as far as they are given: in the block that has that key, else in
/// a new one at the end.
Result<ConfigEdit> declareLimiter(const QByteArray& toml, const QString& fileName,
                                  const Declaration& wanted);
/// What keys are: the kind, the pattern and the layout of wanted, in a block of its own at the end.
Result<ConfigEdit> declareKeys(const QByteArray& toml, const QString& fileName,
                               const Declaration& wanted);
/// Keys that no layout is to claim. pattern: a glob over key names.
Result<ConfigEdit> ignoreKeys(const QByteArray& toml, const QString& fileName,
                              const QByteArray& pattern);
/// A finding of which the operator knows. match: a glob over names; empty: all of that code.
Result<ConfigEdit> silenceFinding(const QByteArray& toml, const QString& fileName,
                                  const QByteArray& code, const QByteArray& match);

/// A glob for that name alone, as such a file can hold it.
QByteArray patternOf(const QByteArray& name);

/// As such a file has it: 250ms, 1s, 10m, 24h, 7d.
QString configDuration(qint64 ms);

/// Reads the file, changes its text and writes it, whole or not at all; a file that is not there is
/// made. Blocks for the disk: not for the GUI thread. Errors: those of the change, and FileError.
Result<ConfigEdit>
editConfigFile(const QString& path,
               const std::function<Result<ConfigEdit>(const QByteArray& toml)>& change);

} // namespace lk

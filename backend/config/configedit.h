// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/declaration.h"
#include "backend/core/result.h"

#include <QByteArray>
#include <QString>

#include <functional>

namespace lk {

/// A change to the text of a configuration file. The rest of the file stays the same byte for byte:
/// comments, blank lines, order.
struct ConfigEdit
{
    QByteArray text;   ///< the whole file after the change
    QByteArray lines;  ///< the written lines, without the last line break
    int firstLine = 0; ///< number of the first written line, from 1
    int lastLine = 0;
};

// Each function takes the present text ("" for a file that does not exist) and returns a text that
// was parsed again and contains the change. Errors: BadConfig, as from parseConfig(). fileName is
// used in the error text.

/// Declares the given limit and window of a limiter, in the block that has its key, else in a new
/// block at the end.
Result<ConfigEdit> declareLimiter(const QByteArray& toml, const QString& fileName,
                                  const Declaration& wanted);
/// Declares keys: the kind, the pattern and the layout of wanted, in a new block at the end.
Result<ConfigEdit> declareKeys(const QByteArray& toml, const QString& fileName,
                               const Declaration& wanted);
/// Declares keys that no layout may claim. pattern is a glob over key names.
Result<ConfigEdit> ignoreKeys(const QByteArray& toml, const QString& fileName,
                              const QByteArray& pattern);
/// Silences a finding. match is a glob over names; empty: all findings of that code.
Result<ConfigEdit> silenceFinding(const QByteArray& toml, const QString& fileName,
                                  const QByteArray& code, const QByteArray& match);

/// A glob that matches that name alone, in a form that the file can contain.
QByteArray patternOf(const QByteArray& name);

/// A duration as written in the file: 250ms, 1s, 10m, 24h, 7d.
QString configDuration(qint64 ms);

/// Reads the file, changes its text and writes it atomically. Creates a missing file. Blocks on the
/// disk; must not be called in the GUI thread. Errors: those of the change, and FileError.
Result<ConfigEdit>
editConfigFile(const QString& path,
               const std::function<Result<ConfigEdit>(const QByteArray& toml)>& change);

} // namespace lk

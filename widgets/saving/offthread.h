// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QString>

#include <functional>

class QObject;

namespace lk {

/// Text of many rows, made when it is needed and in any thread: it holds values, nothing of a
/// model or a widget. A hundred thousand rows take longer to put into words than a window may
/// stand still.
using RowsText = std::function<QString()>;

/// Puts the text on the clipboard once another thread has made it; not at all if context, which
/// lives in the GUI thread, has gone by then, or if a later copy was asked for.
void copyText(QObject* context, const RowsText& text);

/// Makes the content and writes the file in another thread, completely or not at all. Then calls
/// written in the GUI thread with the error, empty on success. Writes the file in any case, but
/// calls written only if context, which lives in the GUI thread, still exists.
void writeFile(QObject* context, const QString& path, const std::function<QByteArray()>& content,
               const std::function<void(const QString& why)>& written);

/// Reads a file in another thread, at most 1 MiB of it. The result is empty if the file does not
/// exist. Calls back as above.
void readFile(QObject* context, const QString& path,
              const std::function<void(const Result<QByteArray>& bytes)>& read);

/// Runs work that reads and writes files in another thread. Calls back as above.
void runForFile(QObject* context, const std::function<std::function<void()>()>& work);

/// Does the same, and passes the result to changed.
template<typename T>
void changeFile(QObject* context, const std::function<Result<T>()>& change,
                const std::function<void(const Result<T>&)>& changed)
{
    runForFile(context,
               [change, changed] { return [changed, result = change()] { changed(result); }; });
}

} // namespace lk

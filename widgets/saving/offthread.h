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

/// Makes the content and writes the file in another thread, whole or not at all; then tells
/// written, in the GUI thread, why that failed: empty if it did not. Written it is in any case;
/// told only if context, which lives in the GUI thread, still is there.
void writeFile(QObject* context, const QString& path, const std::function<QByteArray()>& content,
               const std::function<void(const QString& why)>& written);

/// Reads a file of at most 1 MiB in another thread; "" for one that is not there. Told as above.
void readFile(QObject* context, const QString& path,
              const std::function<void(const Result<QByteArray>& bytes)>& read);

/// Runs what reads and writes files in another thread; told as above.
void runForFile(QObject* context, const std::function<std::function<void()>()>& work);

/// The same, and what came of it.
template<typename T>
void changeFile(QObject* context, const std::function<Result<T>()>& change,
                const std::function<void(const Result<T>&)>& changed)
{
    runForFile(context,
               [change, changed] { return [changed, result = change()] { changed(result); }; });
}

} // namespace lk

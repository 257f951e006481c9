// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/saving/offthread.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSaveFile>
#include <QtConcurrent>

namespace lk {

void copyText(QObject* context, const RowsText& text)
{
    QtConcurrent::run(text).then(
        context, [](const QString& made) { QGuiApplication::clipboard()->setText(made); });
}

void writeFile(QObject* context, const QString& path, const std::function<QByteArray()>& content,
               const std::function<void(const QString& why)>& written)
{
    QtConcurrent::run([path, content] {
        const QByteArray bytes = content();
        QSaveFile file(path);
        const bool done = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size()
                          && file.commit();
        return done ? QString() : file.errorString();
    }).then(context, written);
}

} // namespace lk

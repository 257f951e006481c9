// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/saving/offthread.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QPointer>
#include <QSaveFile>
#include <QtConcurrent>

namespace lk {

// The result goes to the application, which outlives all other threads. There, a context that is
// gone is detected without a race.

void copyText(QObject* context, const RowsText& text)
{
    static quint64 newest = 0; // GUI thread; a copy that a later one overtook is dropped
    const quint64 number = ++newest;
    QtConcurrent::run(text).then(qApp,
                                 [number, guard = QPointer<QObject>(context)](const QString& made) {
                                     if (guard && number == newest)
                                         QGuiApplication::clipboard()->setText(made);
                                 });
}

void writeFile(QObject* context, const QString& path, const std::function<QByteArray()>& content,
               const std::function<void(const QString& why)>& written)
{
    QtConcurrent::run([path, content] {
        const QByteArray bytes = content();
        QSaveFile file(path);
        const bool done =
            file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
        return done ? QString() : file.errorString();
    }).then(qApp, [written, guard = QPointer<QObject>(context)](const QString& why) {
        if (guard)
            written(why);
    });
}

void runForFile(QObject* context, const std::function<std::function<void()>()>& work)
{
    QtConcurrent::run(work).then(
        qApp, [guard = QPointer<QObject>(context)](const std::function<void()>& tell) {
            if (guard)
                tell();
        });
}

void readFile(QObject* context, const QString& path,
              const std::function<void(const Result<QByteArray>& bytes)>& read)
{
    constexpr qint64 most = 1024 * 1024;
    changeFile<QByteArray>(
        context,
        [path]() -> Result<QByteArray> {
            QFile file(path);
            if (!file.exists())
                return QByteArray();
            if (!file.open(QIODevice::ReadOnly))
                return failure(ErrorCode::FileError,
                               QStringLiteral("%1: %2").arg(path, file.errorString()));
            return file.read(most);
        },
        read);
}

} // namespace lk

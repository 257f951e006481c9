// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "widgets/saving/offthread.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QSemaphore>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QThreadPool>

using namespace lk;

// Texts and files that another thread makes: what becomes of them while the window goes on.
class TestSaving : public QObject
{
    Q_OBJECT

private slots:
    // On a machine with one core, too, a copy that waits does not hold up the next.
    void initTestCase() { QThreadPool::globalInstance()->setMaxThreadCount(4); }
    void init() { QApplication::clipboard()->setText(before); }

    void isMadeInAnotherThread()
    {
        QObject context;
        QThread* made = nullptr;
        QSemaphore go; // what is done already when it is asked for comes at once
        copyText(&context, [&made, &go] {
            go.acquire();
            made = QThread::currentThread();
            return QStringLiteral("rows");
        });
        QCOMPARE(QApplication::clipboard()->text(), before);
        go.release();
        QTRY_COMPARE(QApplication::clipboard()->text(), QStringLiteral("rows"));
        QVERIFY(made && made != QThread::currentThread());
    }

    void theLastCopyCounts()
    {
        QObject context;
        QSemaphore go;
        copyText(&context, [&go] {
            go.acquire();
            return QStringLiteral("long");
        });
        copyText(&context, [] { return QStringLiteral("short"); });
        QTRY_COMPARE(QApplication::clipboard()->text(), QStringLiteral("short"));
        go.release();
        waitForSaving();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("short"));
    }

    void whoHasGoneIsToldNothing()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("rows.csv"));
        QSemaphore go;
        int told = 0;
        auto context = std::make_unique<QObject>();
        copyText(context.get(), [&go] {
            go.acquire();
            return QStringLiteral("rows");
        });
        writeFile(
            context.get(), path,
            [&go] {
                go.acquire();
                return QByteArray("rows");
            },
            [&told](const QString&) { ++told; });
        context.reset();
        go.release(2);
        waitForSaving();
        QCOMPARE(QApplication::clipboard()->text(), before);
        QCOMPARE(told, 0);
        QVERIFY(QFile::exists(path));
    }

    void saysWhyItFailed()
    {
        QObject context;
        QStringList told;
        writeFile(
            &context, QStringLiteral("/proc/rows.csv"), [] { return QByteArray("rows"); },
            [&told](const QString& why) { told << why; });
        QTRY_COMPARE(told.size(), 1);
        QVERIFY(!told[0].isEmpty());
    }

private:
    // Waits until the saving is done and its result has reached this thread.
    void waitForSaving()
    {
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }

    const QString before = QStringLiteral("before");
};

LK_WIDGET_TEST(TestSaving);
#include "tst_saving.moc"

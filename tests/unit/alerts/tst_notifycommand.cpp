// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/delivery/sender.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <QLoggingCategory>
#include <QRegularExpression>
#include <QTest>

#include <sys/resource.h>

using namespace lk;
using namespace Qt::StringLiterals;
using test::waitUntil;

class TestNotifyCommand : public QObject
{
    Q_OBJECT

private slots:
    void whatCannotBeStartedIsAnsweredOnce_data();
    void whatCannotBeStartedIsAnsweredOnce();
};

void TestNotifyCommand::whatCannotBeStartedIsAnsweredOnce_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<bool>("full");
    QTest::newRow("no such program") << u"/nowhere/pager"_s << false;
    QTest::newRow("too many open files") << u"/bin/true"_s << true;
}

// Answers from the event loop, like all other answers: the caller may not have returned yet.
void TestNotifyCommand::whatCannotBeStartedIsAnsweredOnce()
{
    QFETCH(QString, program);
    QFETCH(bool, full);
    NotifyTarget target;
    target.name = "page";
    target.command = {program};
    const std::unique_ptr<Sender> sender = makeSender(target, {});
    QStringList answers;
    const auto send = [&] {
        sender->send({"id", "{}", 1, 0}, [&](const SendResult& sent) { answers << sent.problem; });
    };
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
    if (full) {
        QLoggingCategory("any").isDebugEnabled(); // reads its rules from files
        const rlimit none{3, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &none), 0);
        // Qt itself says that it got no pipe.
        const QtMsgType type =
            QT_VERSION < QT_VERSION_CHECK(6, 5, 0) ? QtCriticalMsg : QtWarningMsg;
        QTest::ignoreMessage(type, QRegularExpression(u".*pipe.*"_s));
    }
    send();
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &before), 0);
    QVERIFY(answers.isEmpty());
    QVERIFY(waitUntil([&] { return !answers.isEmpty(); }));
    QCOMPARE(answers.size(), 1);
    QVERIFY2(answers.front().startsWith(program + u" cannot be started: "_s),
             qPrintable(answers.front()));
    answers.clear();
    send(); // the next one is not disturbed by it
    QVERIFY(waitUntil([&] { return !answers.isEmpty(); }));
    QCOMPARE(answers.front().isEmpty(), full);
}

LK_TEST(TestNotifyCommand);
#include "tst_notifycommand.moc"

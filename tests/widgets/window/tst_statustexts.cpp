// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "widgets/server/statustexts.h"

#include <QTest>

using namespace lk;

class TestStatusTexts : public QObject
{
    Q_OBJECT

private slots:
    // On each board: it is not only on one of them that keys are missing.
    void nodesThatDoNotAnswer()
    {
        MonitorReport report;
        NodeFacts up;
        up.endpoint = QStringLiteral("10.0.0.1:6379");
        up.slotCount = 5461;
        up.reachable = true;
        NodeFacts down = up;
        down.endpoint = QStringLiteral("10.0.0.2:6379");
        down.reachable = false;
        NodeFacts failed = down; // another one has its slots by now
        failed.endpoint = QStringLiteral("10.0.0.3:6379");
        failed.slotCount = 0;
        report.nodes = {up, failed};
        QCOMPARE(serverTrouble({}, report), QStringList());
        report.nodes.push_back(down);
        const QStringList told = serverTrouble({}, report);
        QCOMPARE(told.size(), 1);
        QVERIFY2(told.front().startsWith(QStringLiteral("No answer from 10.0.0.2:6379:")),
                 qPrintable(told.front()));
    }

    // The tool tip always shows the limit for payloads; the text mentions waiting ones only if
    // there are some.
    void theBudgetOfPayloads()
    {
        MonitorReport report;
        report.payloadBudget = 1'000'000;
        QCOMPARE(payloadText(report), QString());
        QVERIFY2(payloadToolTip(report).contains(QStringLiteral("1 MB/s")),
                 qPrintable(payloadToolTip(report)));
        report.payloadsWaiting = 1200;
        QVERIFY2(payloadText(report).contains(QStringLiteral("payloads waiting: 1,200")) ||
                     payloadText(report).contains(QStringLiteral("payloads waiting: 1200")),
                 qPrintable(payloadText(report)));
    }
};

LK_TEST(TestStatusTexts);
#include "tst_statustexts.moc"

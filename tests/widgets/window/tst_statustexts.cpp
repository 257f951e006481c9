// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/server/statustexts.h"

#include <QTest>

using namespace lk;

class TestStatusTexts : public QObject
{
    Q_OBJECT

private slots:
    // What is read of payloads at most is always told, that some wait for it only where they do.
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

QTEST_APPLESS_MAIN(TestStatusTexts)
#include "tst_statustexts.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "widgets/controls/labels/breakinglabel.h"

#include <QTest>

using namespace lk;
using namespace Qt::StringLiterals;

/// A label that breaks anywhere, beside a scroll bar that comes and goes with its height.
class TestBreakingLabel : public QObject
{
    Q_OBJECT

private slots:
    void isNeverLowerWhereItIsNarrower_data();
    void isNeverLowerWhereItIsNarrower();
    void isNeverCut();
};

void TestBreakingLabel::isNeverLowerWhereItIsNarrower_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("a word") << u"worker-1"_s;
    QTest::newRow("an owner") << u"62556984-2963-4021-a640-1f556ae9948d:47"_s;
    QTest::newRow("a key") << u"acme/production/lock:invoice:{42}:2026-11-27T04:05:06"_s;
    QTest::newRow("words") << u"held by worker 9 of 12 in the queue of mails"_s;
    QTest::newRow("without a break") << QString(80, u'W');
    QTest::newRow("nothing") << QString();
}

// Else its pane shows the bar where it is not needed beside it, and hides it where it is, for ever.
void TestBreakingLabel::isNeverLowerWhereItIsNarrower()
{
    QFETCH(QString, text);
    BreakingLabel label;
    label.setBreaksAnywhere(true);
    label.setText(text);
    for (const int points : {8, 9, 10, 12, 17}) {
        label.setFont(QFont(u"monospace"_s, points));
        int before = label.heightForWidth(1);
        for (int width = 2; width < 1200; ++width) {
            const int height = label.heightForWidth(width);
            QVERIFY2(
                height <= before,
                qPrintable(u"%1 pt, %2 px: %3 px high, %4 px where it is narrower"_s.arg(points)
                               .arg(width)
                               .arg(height)
                               .arg(before)));
            before = height;
        }
    }
}

void TestBreakingLabel::isNeverCut()
{
    BreakingLabel label;
    label.setBreaksAnywhere(true);
    label.setText(u"62556984-2963-4021-a640-1f556ae9948d:47"_s);
    const int line = label.fontMetrics().height();
    const int all = label.fontMetrics().horizontalAdvance(label.text());
    for (const int width : {all / 5, all / 3, all / 2, all - 1})
        QVERIFY(label.heightForWidth(width) / line * width + width >= all);
    QVERIFY(label.heightForWidth(all / 3) >= 3 * line - 3);
}

LK_WIDGET_TEST(TestBreakingLabel);
#include "tst_breakinglabel.moc"

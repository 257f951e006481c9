// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/alerts/quietedit.h"
#include "backend/config/config.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

namespace {

constexpr QuietHours nights{0x7f, 22 * 60, 7 * 60, Finding::Severity::Warning};

std::vector<QuietHours> quietIn(const QByteArray& toml)
{
    const Result<Config> config = parseConfig(toml, QStringLiteral("test.toml"));
    return config ? config->alerts.quiet : std::vector<QuietHours>();
}

Result<ConfigEdit> written(const QByteArray& toml, const std::optional<QuietHours>& hours,
                           int place)
{
    return writeQuiet(toml, QStringLiteral("test.toml"), hours, place);
}

} // namespace

/// Quiet hours, written into a file that people write, too.
class TestQuietEdit : public QObject
{
    Q_OBJECT

private slots:
    void aBlockIsAppended();
    void aBlockIsChangedInPlace();
    void aBlockIsTakenOut();
    void whatCannotBeEditedIsLeftAlone();
};

void TestQuietEdit::aBlockIsAppended()
{
    const auto edit = written("# mine\n[check]\nsilence = []\n", nights, -1);
    QVERIFY(edit);
    QCOMPARE(edit->text, QByteArray("# mine\n[check]\nsilence = []\n\n"
                                    "[[quiet]]\nfrom = \"22:00\"\nto = \"07:00\"\n"));
    QCOMPARE(edit->lines, QByteArray("[[quiet]]\nfrom = \"22:00\"\nto = \"07:00\""));
    QCOMPARE(quietIn(edit->text), std::vector{nights});
    const QuietHours weekend{0x60, 0, 9 * 60 + 5, Finding::Severity::Error};
    const auto more = written(edit->text, weekend, 1); // beyond all that are there
    QVERIFY(more);
    QCOMPARE(more->lines, QByteArray("[[quiet]]\nfrom = \"00:00\"\nto = \"09:05\"\n"
                                     "days = [\"sat\", \"sun\"]\nup_to = \"error\""));
    QCOMPARE(quietIn(more->text), (std::vector{nights, weekend}));
}

void TestQuietEdit::aBlockIsChangedInPlace()
{
    const QByteArray toml = "[[quiet]] # nights\nfrom = \"22:00\" # late\nto = \"07:00\"\n"
                            "up_to = \"info\"\n\n[[quiet]]\nfrom = \"12:00\"\nto = \"13:00\"\n";
    QuietHours hours = nights;
    hours.fromMinute = 23 * 60;
    hours.days = 0x1f;
    const auto edit = written(toml, hours, 0);
    QVERIFY(edit);
    QVERIFY2(edit->text.startsWith("[[quiet]] # nights\nfrom = \"23:00\" # late\nto = \"07:00\"\n"
                                   "days = [\"mon\", \"tue\", \"wed\", \"thu\", \"fri\"]\n\n"
                                   "[[quiet]]"),
             edit->text.constData());
    QCOMPARE(quietIn(edit->text).size(), size_t(2));
    QCOMPARE(quietIn(edit->text)[0], hours);
}

void TestQuietEdit::aBlockIsTakenOut()
{
    const QByteArray toml = "# before\n[[quiet]]\nfrom = \"22:00\"\nto = \"07:00\"\n\n# after\n"
                            "[[quiet]]\nfrom = \"12:00\"\nto = \"13:00\"\n";
    const auto edit = written(toml, std::nullopt, 0);
    QVERIFY(edit);
    QCOMPARE(edit->text,
             QByteArray("# before\n\n# after\n[[quiet]]\nfrom = \"12:00\"\nto = \"13:00\"\n"));
    QVERIFY(!written(toml, std::nullopt, -1)); // which?
}

void TestQuietEdit::whatCannotBeEditedIsLeftAlone()
{
    QVERIFY(!written("quiet = [{ from = \"22:00\", to = \"07:00\" }]\n", std::nullopt, 0));
    QVERIFY(!written("[[quiet]]\nfrom = \"25:00\"\nto = \"07:00\"\n", nights, -1));
    QVERIFY(
        !written("[[quiet]]\nfrom = \"22:00\"\nto = \"07:00\"\ndays = [\n\"mon\"]\n", nights, 0));
}

LK_TEST(TestQuietEdit);
#include "tst_quietedit.moc"

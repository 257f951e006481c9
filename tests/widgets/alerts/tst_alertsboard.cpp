// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/endthread.h"
#include "backend/session/session.h"
#include "backend/session/sessionalerts.h"
#include "backend/session/sessionstates.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/dialogshots.h"
#include "widgets/alerts/alertspage.h"
#include "widgets/notify/alerttray.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QTimeEdit>

using namespace lk;
using namespace Qt::StringLiterals;

namespace {

constexpr int patience = 30'000;

const QByteArray declared = R"(
[[queue]]
key = "jobs"
layout = "reliable-list"
processing = "jobs:processing"
[alerts]
built_in = false
)";

/// The board over a session of its own, as the window has it.
class BoardOfAlerts final
{
public:
    BoardOfAlerts(const ServerUrl& url, const QByteArray& toml, const QString& folder)
        : path(folder + u"/lockkeeper.toml"_s)
    {
        for (QThread* thread : {&m_io, &m_worker, &m_alerts})
            thread->start();
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(toml);
        file.close();
        Session::Setup setup;
        setup.url = url;
        setup.config = parseConfig(toml, path).value();
        setup.configFile = path;
        setup.alertFile = folder + u"/alerts.db"_s;
        setup.alertThread = &m_alerts;
        setup.ioThread = &m_io;
        setup.workerThread = &m_worker;
        setup.clock = &m_clock;
        session = std::make_unique<Session>(std::move(setup));
        QObject::connect(session.get(), &Session::configEdited, session.get(),
                         [this] { session->applyConfig(loadConfig(path).value()); });
        page.resize(1096, 700);
        page.setSession(session.get());
        page.setActive(true);
        page.show();
        session->start();
    }
    ~BoardOfAlerts()
    {
        page.setSession(nullptr);
        session.reset();
        for (QThread* thread : {&m_io, &m_worker, &m_alerts})
            endThread(*thread);
    }

    qint64 count() const { return page.badge().count; }
    QStringList cells(int column) const
    {
        QStringList texts;
        const QAbstractItemModel& model = *page.table()->model();
        for (int row = 0; row < model.rowCount(); ++row)
            texts << model.index(row, column).data().toString();
        return texts;
    }
    void select(const QString& name) const
    {
        const QModelIndex index = page.table()->model()->index(int(cells(1).indexOf(name)), 0);
        QVERIFY2(index.isValid(), qPrintable(name));
        QTest::mouseClick(page.table()->viewport(), Qt::LeftButton, {},
                          page.table()->visualRect(index).center());
    }
    static QString texts(const QWidget& root)
    {
        QStringList all;
        for (const QLabel* label : root.findChildren<QLabel*>()) {
            if (label->isVisible())
                all << label->text();
        }
        return all.join(u'\n');
    }
    static QAbstractButton* button(const QWidget& root, const QString& text)
    {
        for (QAbstractButton* button : root.findChildren<QAbstractButton*>()) {
            if (button->isVisible() &&
                (button->text().remove(u'&') == text || button->accessibleName() == text))
                return button;
        }
        return nullptr;
    }
    void press(const QString& text) const
    {
        QAbstractButton* pressed = button(page, text);
        QVERIFY2(pressed, qPrintable(text));
        QTest::mouseClick(pressed, Qt::LeftButton);
    }
    QDialog* dialog(const char* name) const
    {
        return page.window()->findChild<QDialog*>(QLatin1String(name));
    }

    const QString path;
    std::unique_ptr<Session> session;
    AlertsPage page;

private:
    SystemClock m_clock;
    QThread m_io;
    QThread m_worker;
    QThread m_alerts;
};

/// A recording of nothing.
class Nowhere final : public SessionSource
{
public:
    void start() override {}
    void stop() override {}
    void consumed() override {}
};

} // namespace

// The board of alerts, by clicks and keys, over a real server.
class TestAlertsBoard : public QObject
{
    Q_OBJECT

private:
    static constexpr auto threeLocks = "[[alert]]\nwhen = \"lock.lease > 1s\"\n";

    test::RedisServer m_server;
    std::unique_ptr<QTemporaryDir> m_folder;

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_server.lines({"FLUSHALL", "SET lock:one owner-1 PX 600000",
                        "SET lock:two owner-2 PX 500000", "SET lock:zed owner-9 PX 700000",
                        "SET lock:orphan owner-1", "RPUSH jobs j1 j2 j3"});
    }

    void anAlertIsSeenAcknowledgedAndPast()
    {
        BoardOfAlerts board(m_server.url(),
                            declared + "[[alert]]\nwhen = \"queue.ready > 2\"\n"
                                       "[[alert]]\nwhen = \"lock-without-ttl\"\n"
                                       "severity = \"error\"\n",
                            m_folder->path());
        // The worst first.
        QTRY_COMPARE_WITH_TIMEOUT(board.cells(1), (QStringList{u"lock:orphan"_s, u"jobs"_s}),
                                  patience);
        QCOMPARE(board.count(), 2);
        board.select(u"jobs"_s);
        QVERIFY2(BoardOfAlerts::texts(board.page).contains(u"Waiting: 3, above 2"_s),
                 qPrintable(BoardOfAlerts::texts(board.page)));
        test::shoot(board.page, u"alerts"_s);
        board.press(u"Acknowledge"_s);
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 1, patience);
        QTRY_VERIFY(BoardOfAlerts::texts(board.page).contains(operatorName()));
        // The object itself is a click away.
        QSignalSpy wanted(&board.page, &Board::wanted);
        board.press(u"Show"_s);
        QCOMPARE(wanted.size(), 1);
        const auto target = std::get<PrimitiveTarget>(wanted[0][0].value<BoardTarget>());
        QCOMPARE(target.kind, Kind::Queue);
        QCOMPARE(board.session->states().at(target.handle)->primitive->id.name, QByteArray("jobs"));
        m_server.lines({"DEL jobs", "EXPIRE lock:orphan 600"});
        QTRY_COMPARE_WITH_TIMEOUT(board.cells(3).filter(u"resolved after"_s).size(), 2, patience);
        QCOMPARE(board.count(), 0);
    }

    void severalAreAcknowledgedAtOnceByKeys()
    {
        BoardOfAlerts board(m_server.url(), declared + threeLocks, m_folder->path());
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 3, patience);
        board.select(u"lock:one"_s);
        QTest::keyClick(board.page.table(), Qt::Key_A, Qt::ControlModifier);
        QAbstractButton* button = BoardOfAlerts::button(board.page, u"Acknowledge"_s);
        QVERIFY(button);
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 0, patience);
        QCOMPARE(board.cells(3), QStringList(3, u"acknowledged"_s));
    }

    // However often the window goes there and back.
    // Until it is known which moment that is.
    void inThePastTheyAreTheSame()
    {
        BoardOfAlerts board(m_server.url(), declared + threeLocks, m_folder->path());
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 3, patience);
        board.select(u"lock:two"_s);
        const QModelIndex chosen = board.page.table()->currentIndex();
        Session past(board.session->setup(), new Nowhere, *board.session);
        for (int times = 0; times < 3; ++times) {
            board.page.setSession(&past);
            QCOMPARE(board.count(), 3);
            QCOMPARE(board.page.table()->currentIndex(), chosen);
            board.page.setSession(board.session.get());
        }
        QCOMPARE(board.page.table()->currentIndex(), chosen);
        QVERIFY(BoardOfAlerts::texts(board.page).contains(u"lock.lease"_s));
        QSignalSpy badges(&board.page, &Board::badgeChanged);
        emit board.session->alerts()->changed();
        QCOMPARE(badges.size(), 1); // heard once
    }

    // The past contains no alert that fired later, and no later acknowledgement.
    void inThePastTheyAreAsOfThen()
    {
        BoardOfAlerts board(m_server.url(), declared + threeLocks, m_folder->path());
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 3, patience);
        board.select(u"lock:two"_s);
        const qint64 fired = board.session->alerts()->alerts()->open.front()->firedMs;
        QTRY_VERIFY(board.session->serverNowMs() > fired + 10);
        board.press(u"Acknowledge"_s);
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 2, patience);
        auto* source = new Nowhere;
        Session past(board.session->setup(), source, *board.session);
        board.page.setSession(&past);
        const auto shows = [&](qint64 tMs, int open) {
            MonitorReport report;
            report.atMs = tMs;
            emit source->reported(report);
            return QTest::qWaitFor(
                [&] { return past.serverNowMs() == tMs && board.count() == open; }, patience);
        };
        qint64 last = 0;
        for (const AlertPtr& alert : board.session->alerts()->alerts()->open)
            last = std::max(last, alert->firedMs);
        QVERIFY(shows(last, 3)); // no alert had been attended to
        QCOMPARE(board.page.table()->model()->rowCount(), 3);
        const QAbstractButton* acknowledge = BoardOfAlerts::button(board.page, u"Acknowledge"_s);
        QVERIFY(acknowledge && !acknowledge->isEnabled());
        QVERIFY(shows(fired - 3'600'000, 0));
        QCOMPARE(board.page.table()->model()->rowCount(), 0);
        board.page.setSession(board.session.get());
        QCOMPARE(board.count(), 2);
    }

    void silencedByWhomAndUntilWhen()
    {
        BoardOfAlerts board(m_server.url(), declared + threeLocks, m_folder->path());
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 3, patience);
        board.select(u"lock:one"_s);
        board.press(u"Silence…"_s);
        QTRY_VERIFY(board.dialog("silenceDialog"));
        QDialog* dialog = board.dialog("silenceDialog");
        QTest::keyClicks(dialog->findChild<QLineEdit*>(u"reason"_s), u"maintenance"_s);
        test::shoot(*dialog, u"silence"_s);
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 2, patience);
        QTRY_VERIFY(BoardOfAlerts::texts(board.page).contains(u"maintenance"_s));
        QVERIFY(BoardOfAlerts::texts(board.page).contains(operatorName()));
        board.press(u"End silence"_s);
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 3, patience);
    }

    // Also of what there is no alert of any more.
    void silencesAreListedAndEnded()
    {
        BoardOfAlerts board(m_server.url(), declared + threeLocks, m_folder->path());
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 3, patience);
        Silence elsewhere;
        elsewhere.match = "lock:elsewhere";
        elsewhere.reason = u"moved"_s;
        board.session->alerts()->silence(elsewhere);
        board.select(u"lock:one"_s);
        board.press(u"Silence…"_s);
        QTRY_VERIFY(board.dialog("silenceDialog"));
        QDialog* dialog = board.dialog("silenceDialog");
        auto* until = dialog->findChildren<QComboBox*>().at(1);
        until->setCurrentText(u"until a time…"_s);
        auto* time = dialog->findChild<QLineEdit*>(u"time"_s);
        QTRY_VERIFY(time->isVisible());
        QTest::keyClicks(time, u"yesterday"_s);
        // A refused entry gets the focus and shows the reason.
        QAbstractButton* silence = BoardOfAlerts::button(*dialog, u"Silence"_s);
        silence->setFocus();
        QTest::mouseClick(silence, Qt::LeftButton);
        QVERIFY(dialog->isVisible());
        QCOMPARE(dialog->focusWidget(), time);
        QVERIFY(time->accessibleDescription().contains(u"is not in the future"_s));
        const QLabel* why = nullptr;
        for (const QLabel* label : dialog->findChildren<QLabel*>()) {
            if (label->isVisible() && label->text().contains(u"is not in the future"_s))
                why = label;
        }
        QVERIFY(why);
        QApplication::processEvents();
        const int below = why->mapTo(dialog, QPoint()).y() - time->geometry().bottom();
        QVERIFY2(below > 0 && below < time->height(), QByteArray::number(below).constData());
        test::shoot(*dialog, u"silence-until"_s);
        QTest::keyClicks(time, u"+2h"_s); // over what is there
        QVERIFY(!why->isVisible());
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 2, patience);
        QTRY_COMPARE_WITH_TIMEOUT(board.session->alerts()->alerts()->silences.size(), size_t(2),
                                  patience);
        const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
        const std::vector<Silence> silences = board.session->alerts()->alerts()->silences;
        const auto timed =
            std::ranges::find_if(silences, [](const Silence& s) { return s.untilMs > 0; });
        QVERIFY(timed != silences.end());
        QVERIFY(std::abs(timed->untilMs - nowMs - 2 * 3'600'000) < 60'000);

        for (QAction* action : board.page.findChildren<QAction*>()) {
            if (action->text() == u"Silences…"_s)
                action->trigger();
        }
        QTRY_VERIFY(board.dialog("silencesDialog"));
        QDialog* list = board.dialog("silencesDialog");
        auto* table = list->findChild<QTableView*>();
        QCOMPARE(table->model()->rowCount(), 2);
        test::shoot(*list, u"silences"_s);
        table->selectAll();
        QAbstractButton* end = BoardOfAlerts::button(*list, u"End silence"_s);
        QVERIFY(end && end->isEnabled());
        QTest::mouseClick(end, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 3, patience);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 0, patience);
        QVERIFY(BoardOfAlerts::texts(*list).contains(u"Nothing is silenced"_s));
        list->reject();
    }

    // In the file, where comments and order stay; and in force at once.
    void rulesAreEditedInTheFile()
    {
        const QByteArray toml =
            "# by hand\n" + declared +
            "[[alert]]\nwhen = \"queue.ready > 1000\" # much\nfor = \"2m\"\n# the end\n";
        BoardOfAlerts board(m_server.url(), toml, m_folder->path());
        QTRY_VERIFY_WITH_TIMEOUT(board.session->report().scan.complete, patience);
        board.press(u"Rules"_s);
        QTRY_VERIFY(board.dialog("ruleDialog"));
        QDialog* dialog = board.dialog("ruleDialog");
        auto* when = dialog->findChild<QLineEdit*>(u"when"_s);
        auto* held = dialog->findChild<QLineEdit*>(u"for"_s);
        QAbstractButton* write = BoardOfAlerts::button(*dialog, u"Write"_s);
        QTRY_COMPARE(when->text(), u"queue.ready > 1000"_s);
        QVERIFY(!write->isEnabled()); // as it is
        when->setText(u"queue.redy > 2"_s);
        QTRY_VERIFY2(BoardOfAlerts::texts(*dialog).contains(u"did you mean"_s),
                     qPrintable(BoardOfAlerts::texts(*dialog)));
        QVERIFY(!write->isEnabled());
        when->setText(u"queue.ready > 2"_s);
        held->clear();
        QTRY_VERIFY(write->isEnabled());
        test::shoot(*dialog, u"rules"_s);
        QTest::mouseClick(write, Qt::LeftButton);
        QTRY_VERIFY2(BoardOfAlerts::texts(*dialog).contains(u"Written and applied"_s),
                     qPrintable(BoardOfAlerts::texts(*dialog)));
        QFile file(board.path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(),
                 QByteArray(toml).replace("1000\" # much\nfor = \"2m\"", "2\" # much"));
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 1, patience);
        // A further one, at the end.
        auto* rule = dialog->findChild<QComboBox*>(u"rule"_s);
        rule->setCurrentIndex(rule->count() - 1);
        QCOMPARE(when->text(), QString());
        QTest::keyClicks(when, u"lock-without-ttl"_s);
        QTRY_VERIFY(write->isEnabled());
        QTest::mouseClick(write, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(board.count(), 2, patience);
    }

    void quietHoursAreEditedInTheFile()
    {
        BoardOfAlerts board(m_server.url(), "# by hand\n" + declared, m_folder->path());
        QTRY_VERIFY_WITH_TIMEOUT(board.session->report().scan.complete, patience);
        const auto quiet = [&] { return board.session->config().alerts.quiet; };
        for (QAction* action : board.page.findChildren<QAction*>()) {
            if (action->text() == u"Quiet hours\u2026")
                action->trigger();
        }
        QTRY_VERIFY(board.dialog("quietDialog"));
        QDialog* dialog = board.dialog("quietDialog");
        QAbstractButton* write = BoardOfAlerts::button(*dialog, u"Write"_s);
        QTRY_VERIFY(write->isEnabled()); // nights, as a beginning
        dialog->findChild<QTimeEdit*>(u"from"_s)->setTime(QTime(21, 30));
        for (QCheckBox* day : dialog->findChildren<QCheckBox*>())
            day->setChecked(false);
        QTRY_VERIFY(!write->isEnabled());
        QVERIFY(BoardOfAlerts::texts(*dialog).contains(u"Choose at least one day"_s));
        for (QCheckBox* day : dialog->findChildren<QCheckBox*>())
            day->setChecked(day->accessibleName() != QLocale().dayName(7));
        test::shoot(*dialog, u"quiet"_s);
        QTest::mouseClick(write, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(quiet().size(), size_t(1), patience);
        QCOMPARE(quiet()[0], (QuietHours{0x3f, 21 * 60 + 30, 7 * 60, Finding::Severity::Warning}));
        QTRY_VERIFY(BoardOfAlerts::texts(*dialog).contains(u"Written to"_s));
        QVERIFY(!write->isEnabled());
        QTest::mouseClick(BoardOfAlerts::button(*dialog, u"Remove"_s), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(quiet().size(), size_t(0), patience);
    }

    void aTestSaysWhatCameOfIt()
    {
        BoardOfAlerts board(m_server.url(),
                            declared + "[notify.page]\ncommand = [\"/bin/false\"]\n",
                            m_folder->path());
        QTRY_VERIFY_WITH_TIMEOUT(board.session->report().scan.complete, patience);
        QCOMPARE(board.session->alerts()->targets(), QByteArrayList{"page"});
        board.session->alerts()->test("page");
        QTRY_VERIFY_WITH_TIMEOUT(
            BoardOfAlerts::texts(board.page)
                .contains(u"page: the test notification was not delivered: exit code 1"_s),
            patience);
    }

    void withoutAlertsTheBoardTeaches()
    {
        BoardOfAlerts board(m_server.url(), declared, m_folder->path());
        QTRY_VERIFY(BoardOfAlerts::texts(board.page).contains(u"[[alert]]"_s));
        QCOMPARE(board.count(), 0);
    }

    void theTrayTellsHowMany()
    {
        const QImage none = AlertTray::iconFor(0, {}).pixmap(64).toImage();
        const QImage three = AlertTray::iconFor(3, Finding::Severity::Error).pixmap(64).toImage();
        QVERIFY(none != three);
        QVERIFY(AlertTray::iconFor(4, Finding::Severity::Error).pixmap(64).toImage() != three);
        QVERIFY(AlertTray::iconFor(3, Finding::Severity::Info).pixmap(64).toImage() != three);
        QVERIFY(AlertTray::tipFor(3, u"orders"_s).contains(u"3"_s));
    }
};

LK_WIDGET_TEST(TestAlertsBoard);
#include "tst_alertsboard.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/console.h"
#include "backend/session/recording/sessionrecorder.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/declare/recordingdialog.h"
#include "widgets/timetravel/timebar.h"

#include <QCheckBox>
#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>

using namespace lk;
using test::ConsoleWindow;

namespace {

constexpr int patienceMs = 30'000;
constexpr qint64 mebibyte = 1024 * 1024;

} // namespace

// Whether, where, how large and for how long it is recorded: seen on the Server board, changed in a
// dialog by clicks and keys, and done by the recorder that runs.
class TestRecordingSettings : public QObject
{
    Q_OBJECT

public:
    static void initMain()
    {
        static const QTemporaryDir home;
        for (const char* name :
             {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
            qputenv(name, home.path().toUtf8());
        qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus"); // no keyring
    }

private slots:
    void initTestCase()
    {
        QVERIFY2(m_server.start(), m_server.output());
        m_server.line("SET lock:one owner-1 NX PX 600000");
        m_console = std::make_unique<Console>(*qApp);
        m_console->theme().choose(ThemeChoice::Light);
        window().resize(1280, 800);
        window().show();
        window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        ConnectionChoice choice;
        choice.url = m_server.url();
        choice.name = QStringLiteral("orders");
        choice.configFile = m_folder.filePath(QStringLiteral("orders.toml"));
        QFile file(choice.configFile);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("# ours\n[[lock]]\nkey = \"lock:*\"\nlayout = \"set-nx-px\"\n");
        file.close();
        m_config = choice.configFile;
        m_console->open(choice);
        QVERIFY(m_console->session());
        QTRY_VERIFY_WITH_TIMEOUT(recorder() && recorder()->status().here &&
                                     !recorder()->status().size.path.isEmpty(),
                                 patienceMs);
        window().showBoard(test::ServerBoard);
    }
    void cleanup()
    {
        for (auto* dialog : window().findChildren<RecordingDialog*>())
            delete dialog;
    }
    void cleanupTestCase() { m_console.reset(); }

    void theBoardAndTheDialogSayHowItStands()
    {
        RecordingDialog* dialog = open();
        QVERIFY(dialog);
        QVERIFY(on(*dialog)->isChecked());
        const QString facts = factsOf(*dialog);
        QVERIFY2(facts.contains(recorder()->status().size.path), qPrintable(facts));
        QVERIFY2(facts.contains(QStringLiteral(" of 2.1 GB at most")), qPrintable(facts));
        QCOMPARE(field(*dialog, "size")->text(), QStringLiteral("2GB"));
        QCOMPARE(field(*dialog, "every_minute")->text(), QStringLiteral("30d"));
        QVERIFY(!save(*dialog)->isEnabled()); // nothing has changed
        QCOMPARE(test::clippedTexts(*dialog), QStringList());
        test::shoot(*dialog, QStringLiteral("recording-settings"));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!shown());
        test::shoot(window(), QStringLiteral("recording-server-board"));
    }

    void whatIsWrongIsSaidBeforeItIsSaved()
    {
        RecordingDialog* dialog = open();
        QVERIFY(dialog);
        type(*dialog, "size", QStringLiteral("much"));
        QVERIFY(message(*dialog).isProblem());
        QVERIFY(!save(*dialog)->isEnabled());
        type(*dialog, "size", QStringLiteral("1 GB"));
        QVERIFY(!message(*dialog).isProblem());
        QVERIFY(save(*dialog)->isEnabled());
        type(*dialog, "every_minute", QStringLiteral("1h")); // every 10 s are kept longer
        QVERIFY(message(*dialog).isProblem());
        QVERIFY2(message(*dialog).text().contains(QStringLiteral("every_minute")),
                 qPrintable(message(*dialog).text()));
        QVERIFY(!save(*dialog)->isEnabled());
        QVERIFY(!config().contains("recording"));
    }

    void sizeAndTimesAreSavedAndDone()
    {
        RecordingDialog* dialog = open();
        QVERIFY(dialog);
        type(*dialog, "size", QStringLiteral("500MB"));
        type(*dialog, "as_read", QStringLiteral("2h"));
        QTest::mouseClick(save(*dialog), Qt::LeftButton);
        QTRY_VERIFY2(message(*dialog).tone() == InlineMessage::Tone::Ok,
                     qPrintable(message(*dialog).text()));
        const QByteArray file = config();
        QVERIFY2(file.startsWith("# ours\n"), file.constData());
        QVERIFY2(file.contains("[recording]") && file.contains("size = \"500MB\"") &&
                     file.contains("as_read = \"2h\""),
                 file.constData());
        QTRY_COMPARE_WITH_TIMEOUT(m_console->session()->config().recording.capBytes, 500 * mebibyte,
                                  patienceMs);
        // By the recorder that runs.
        QTRY_COMPARE_WITH_TIMEOUT(recorder()->status().size.capBytes, 500 * mebibyte, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(factsOf(*dialog).contains(QStringLiteral("as read for 2 h")),
                                 patienceMs);
        QVERIFY(recorder()->status().here);
    }

    void offAndOnAgainFromTheMenu()
    {
        auto* bar = window().findChild<TimeBar*>();
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), patienceMs);
        auto* action = menuAction(QStringLiteral("Recording settings…"));
        QVERIFY(action && action->isEnabled());
        action->trigger();
        QTRY_VERIFY(shown());
        RecordingDialog* dialog = shown();
        QTest::mouseClick(on(*dialog), Qt::LeftButton, {}, {8, on(*dialog)->height() / 2});
        QVERIFY(!on(*dialog)->isChecked());
        QTest::mouseClick(save(*dialog), Qt::LeftButton);
        QTRY_VERIFY(!recorder());
        QCOMPARE(QSettings().value(QStringLiteral("recording/on")).toBool(), false);
        QVERIFY2(factsOf(*dialog).contains(QStringLiteral("off")), qPrintable(factsOf(*dialog)));
        QVERIFY(bar->isVisible()); // what was recorded can be looked at
        QTest::mouseClick(on(*dialog), Qt::LeftButton, {}, {8, on(*dialog)->height() / 2});
        QTest::mouseClick(save(*dialog), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(recorder() && recorder()->status().here, patienceMs);
        QCOMPARE(QSettings().value(QStringLiteral("recording/on")).toBool(), true);
    }

private:
    test::RedisServer m_server;
    QTemporaryDir m_folder;
    QString m_config;
    std::unique_ptr<Console> m_console;

    MainWindow& window() { return m_console->window(); }
    SessionRecorder* recorder() { return recorderOf(*m_console->session()); }
    QByteArray config() const
    {
        QFile file(m_config);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    RecordingDialog* shown()
    {
        for (auto* dialog : window().findChildren<RecordingDialog*>()) {
            if (dialog->isVisible())
                return dialog;
        }
        return nullptr;
    }
    /// By the button on the Server board.
    RecordingDialog* open()
    {
        auto* button = ConsoleWindow::button<QPushButton>(*window().boards()[test::ServerBoard],
                                                          QStringLiteral("Recording settings…"));
        if (!button)
            return nullptr;
        QTest::mouseClick(button, Qt::LeftButton);
        return QTest::qWaitFor([&] { return shown() != nullptr; }) ? shown() : nullptr;
    }
    QAction* menuAction(const QString& text)
    {
        for (QAction* action : window().findChildren<QAction*>()) {
            if (QString(action->text()).remove(QLatin1Char('&')) == text)
                return action;
        }
        return nullptr;
    }
    static QLineEdit* field(RecordingDialog& dialog, const char* name)
    {
        return dialog.findChild<QLineEdit*>(QString::fromLatin1(name));
    }
    static void type(RecordingDialog& dialog, const char* name, const QString& text)
    {
        field(dialog, name)->setFocus();
        field(dialog, name)->selectAll();
        QTest::keyClicks(field(dialog, name), text);
    }
    static QCheckBox* on(RecordingDialog& dialog) { return dialog.findChild<QCheckBox*>(); }
    static QPushButton* save(RecordingDialog& dialog)
    {
        return ConsoleWindow::button<QPushButton>(dialog, QStringLiteral("Save"));
    }
    static InlineMessage& message(RecordingDialog& dialog)
    {
        return *dialog.findChild<InlineMessage*>();
    }
    static QString factsOf(RecordingDialog& dialog)
    {
        QStringList all;
        for (const FactGrid::Row& row : dialog.findChild<FactGrid*>()->rows())
            all << row.label + QStringLiteral(": ") + row.value;
        return all.join(QLatin1Char('\n'));
    }
};

LK_WIDGET_TEST(TestRecordingSettings);
#include "tst_recordingsettings.moc"

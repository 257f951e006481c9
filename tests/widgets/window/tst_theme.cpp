// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/chartshots.h"
#include "widgets/theme/breakabletext.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QComboBox>
#include <QDirIterator>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <cmath>

using namespace lk;

namespace {

double luminance(const QColor& color)
{
    const auto part = [](double c) {
        return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * part(color.redF()) + 0.7152 * part(color.greenF()) +
           0.0722 * part(color.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double lighter = std::max(luminance(a), luminance(b));
    const double darker = std::min(luminance(a), luminance(b));
    return (lighter + 0.05) / (darker + 0.05);
}

QStringList iconNames()
{
    QStringList names;
    QDirIterator files(QStringLiteral(":/icons"), {QStringLiteral("*.svg")});
    while (files.hasNext())
        names += files.nextFileInfo().completeBaseName();
    names.sort();
    return names;
}

/// Looks like what a person sees, and hears of a new palette.
class Listener final : public QWidget
{
public:
    int heard = 0;

protected:
    void changeEvent(QEvent* event) override
    {
        if (event->type() == QEvent::PaletteChange)
            ++heard;
    }
};

} // namespace

class ThemeTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void textsCanBeRead_data();
    void textsCanBeRead();
    void ownersAreReadOnTheirBars_data();
    void ownersAreReadOnTheirBars();
    void anOwnerKeepsItsColour();
    void widgetsHearOfAChange();
    void systemReturnsToTheDesktopsChoice();
    void sizesAreAsAgreed();
    void keysAreMonospaced();
    void everyKindAndHealthHasAnIcon();
    void healthIsToldWithoutColour();
    void iconsTakeTheThemesColour();
    void iconsAreCrispAtDoubleScale();
    void anUnknownIconIsNull();
    void longRunsMayBreak();
    void buttonsHaveRoomBesideTheirText();
    void choicesAreReadable_data();
    void choicesAreReadable();
    void fieldsHaveAFrame_data();
    void fieldsHaveAFrame();
    void gallery();

private:
    std::unique_ptr<Theme> m_theme;
    Shots m_shots;
};

void ThemeTest::initTestCase()
{
    m_theme = std::make_unique<Theme>(*qApp);
}

void ThemeTest::textsCanBeRead_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("role");
    for (const bool dark : {false, true}) {
        for (int role = int(ColorRole::Text); role <= int(ColorRole::Teal); ++role)
            QTest::addRow("%s %d", dark ? "dark" : "light", role) << dark << role;
    }
}

void ThemeTest::textsCanBeRead()
{
    QFETCH(bool, dark);
    QFETCH(int, role);
    const QPalette palette = dark ? darkPalette() : lightPalette();
    const ThemeColors& colors = themeColors(palette);
    QCOMPARE(colors.dark, dark);
    QVERIFY(contrast(colors.of(ColorRole(role)), colors.surface) >= 4.5);
    QVERIFY(contrast(colors.of(ColorRole(role)), colors.ground) >= 4.5);
}

void ThemeTest::ownersAreReadOnTheirBars_data()
{
    QTest::addColumn<QPalette>("palette");
    QTest::newRow("light") << lightPalette();
    QTest::newRow("dark") << darkPalette();
}

void ThemeTest::ownersAreReadOnTheirBars()
{
    QFETCH(QPalette, palette);
    std::set<QRgb> seen;
    for (int i = 0; i < 200; ++i) {
        const QColor color = ownerColor(QStringLiteral("worker-%1").arg(i), palette);
        QVERIFY2(contrast(color, themeColors(palette).surface) >= 4.5, qPrintable(color.name()));
        seen.insert(color.rgb());
    }
    QCOMPARE(seen.size(), 8u);
}

void ThemeTest::anOwnerKeepsItsColour()
{
    const auto owner = QStringLiteral("ef1f63c");
    QCOMPARE(ownerColor(owner, lightPalette()), ownerColor(owner, lightPalette()));
    QVERIFY(ownerColor(owner, lightPalette()) != ownerColor(owner, darkPalette()));
}

void ThemeTest::widgetsHearOfAChange()
{
    Listener listener;
    m_theme->choose(ThemeChoice::Light);
    listener.show();
    listener.heard = 0;
    m_theme->choose(ThemeChoice::Dark);
    QTRY_VERIFY(listener.heard > 0);
    QVERIFY(isDark(listener.palette()));
    QVERIFY(m_theme->dark());
}

void ThemeTest::systemReturnsToTheDesktopsChoice()
{
    m_theme->choose(ThemeChoice::System);
    const bool before = m_theme->dark();
    m_theme->choose(before ? ThemeChoice::Light : ThemeChoice::Dark);
    QVERIFY(m_theme->dark() != before);
    m_theme->choose(ThemeChoice::System);
    QCOMPARE(m_theme->dark(), before);
}

void ThemeTest::sizesAreAsAgreed()
{
    QCOMPARE(uiFont(TextSize::Caption).pointSizeF(), 8.5);
    QCOMPARE(uiFont(TextSize::Body).pointSizeF(), 9.5);
    QCOMPARE(uiFont(TextSize::Title).pointSizeF(), 12.0);
    QCOMPARE(uiFont(TextSize::Figure).pointSizeF(), 20.0);
    QCOMPARE(qApp->font().pointSizeF(), 9.5);
}

void ThemeTest::keysAreMonospaced()
{
    const QFontMetrics metrics(monoFont(TextSize::Body));
    QCOMPARE(metrics.horizontalAdvance(QStringLiteral("iiii")),
             metrics.horizontalAdvance(QStringLiteral("MMMM")));
}

void ThemeTest::everyKindAndHealthHasAnIcon()
{
    for (const Kind kind : allKinds)
        QVERIFY(!icon(kindIconName(kind), lightPalette()).isNull());
    for (const Health health : {Health::Idle, Health::Ok, Health::Warning, Health::Error})
        QVERIFY(!healthIcon(health, lightPalette()).isNull());
    QVERIFY(!applicationIcon().pixmap(64).isNull());
}

void ThemeTest::healthIsToldWithoutColour()
{
    std::set<QByteArray> shapes;
    for (const Health health : {Health::Idle, Health::Ok, Health::Warning, Health::Error}) {
        const QImage picture = icon(healthIconName(health), lightPalette()).pixmap(24).toImage();
        shapes.insert(
            QByteArray(reinterpret_cast<const char*>(picture.constBits()), picture.sizeInBytes()));
    }
    QCOMPARE(shapes.size(), 4u);
}

void ThemeTest::iconsTakeTheThemesColour()
{
    for (const QPalette& palette : {lightPalette(), darkPalette()}) {
        const QColor wanted = themeColors(palette).danger;
        const QImage picture = icon(QStringLiteral("error"), ColorRole::Danger, palette)
                                   .pixmap(64)
                                   .toImage()
                                   .convertToFormat(QImage::Format_ARGB32);
        QVERIFY(pixelsOf(picture, wanted) > 100);
    }
}

void ThemeTest::iconsAreCrispAtDoubleScale()
{
    const QPixmap picture = icon(QStringLiteral("lock"), lightPalette()).pixmap(QSize(16, 16), 2.0);
    QCOMPARE(picture.size(), QSize(32, 32));
    QCOMPARE(picture.devicePixelRatio(), 2.0);
}

void ThemeTest::anUnknownIconIsNull()
{
    QVERIFY(icon(QStringLiteral("no-such-icon"), lightPalette()).isNull());
}

void ThemeTest::longRunsMayBreak()
{
    const QString name(300, QLatin1Char('n'));
    const QString text = QStringLiteral("Release %1?").arg(name);
    QLabel label(breakable(text));
    label.setWordWrap(true);
    QVERIFY(label.minimumSizeHint().width() < 400);
    QCOMPARE(label.text().remove(QChar(0x200B)), text);
    const QString brief = QStringLiteral("Release lock:invoice:42 on /tmp/a/path/to/redis.sock/0?");
    QCOMPARE(breakable(brief), brief);
}

void ThemeTest::buttonsHaveRoomBesideTheirText()
{
    const QPushButton button(QStringLiteral("Copy receipt ID"));
    QVERIFY(button.sizeHint().width() >=
            button.fontMetrics().horizontalAdvance(button.text()) + 24);
}

void ThemeTest::choicesAreReadable_data()
{
    QTest::addColumn<int>("choice");
    QTest::addColumn<bool>("enabled");
    QTest::addColumn<bool>("editable");
    for (const bool enabled : {true, false}) {
        for (const bool editable : {true, false}) {
            const QByteArray name =
                QByteArray(enabled ? "" : "disabled, ") + (editable ? "to be typed in, " : "");
            QTest::newRow((name + "light").constData())
                << int(ThemeChoice::Light) << enabled << editable;
            QTest::newRow((name + "dark").constData())
                << int(ThemeChoice::Dark) << enabled << editable;
        }
    }
}

// As they are drawn: text on its ground, the frame, and the arrow.
void ThemeTest::choicesAreReadable()
{
    QFETCH(int, choice);
    QFETCH(bool, enabled);
    QFETCH(bool, editable);
    m_theme->choose(ThemeChoice(choice));
    QWidget ground;
    auto* combo = new QComboBox(&ground);
    QFont large = combo->font();
    large.setPixelSize(28); // so that its strokes are wider than a pixel
    combo->setFont(large);
    combo->addItem(QStringLiteral("HHHH"));
    combo->setEditable(editable);
    combo->setEnabled(enabled);
    combo->setGeometry(10, 10, 180, 44);
    ground.resize(200, 64);
    const QImage image = m_shots.take(*m_theme, ThemeChoice(choice), ground,
                                      QStringLiteral("choice%1%2")
                                          .arg(editable ? QStringLiteral("-typed") : QString(),
                                               enabled ? QString() : QStringLiteral("-disabled")));
    const auto most = [&](const QRect& within, const QColor& against) {
        double found = 0;
        for (int y = within.top(); y <= within.bottom(); ++y) {
            for (int x = within.left(); x <= within.right(); ++x)
                found = std::max(found, contrast(image.pixelColor(x, y), against));
        }
        return found;
    };
    // Beside each stroke, wherever the ground is lightest or darkest.
    const QColor behind[] = {image.pixelColor(130, 16), image.pixelColor(130, 32),
                             image.pixelColor(130, 48)};
    for (const QColor& at : behind) {
        const double text = most(QRect(14, 20, 70, 24), at);
        QVERIFY2(text >= (enabled ? 4.5 : 3.0), QByteArray::number(text).constData());
        const double arrow = most(QRect(168, 24, 18, 16), at);
        QVERIFY2(arrow >= (enabled ? 3.0 : 2.0), QByteArray::number(arrow).constData());
    }
    const double frame = most(QRect(100, 8, 1, 5), image.pixelColor(100, 4));
    QVERIFY2(frame >= 1.3, QByteArray::number(frame).constData());
}

void ThemeTest::fieldsHaveAFrame_data()
{
    QTest::addColumn<int>("choice");
    QTest::newRow("light") << int(ThemeChoice::Light);
    QTest::newRow("dark") << int(ThemeChoice::Dark);
}

void ThemeTest::fieldsHaveAFrame()
{
    QFETCH(int, choice);
    QWidget ground;
    auto* field = new QLineEdit(&ground);
    field->setGeometry(10, 10, 120, 26);
    ground.resize(140, 46);
    const QImage image = m_shots.take(*m_theme, ThemeChoice(choice), ground, {});
    const QColor frame = image.pixelColor(70, 10);
    QVERIFY(contrast(frame, image.pixelColor(70, 5)) > 1.3);
    QVERIFY(contrast(frame, image.pixelColor(70, 14)) > 1.3);
}

void ThemeTest::gallery()
{
    const QStringList names = iconNames();
    QVERIFY(names.size() >= 24);
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        m_theme->choose(choice);
        QWidget sheet;
        sheet.resize(800, 52 * ((int(names.size()) + 7) / 8) + 120);
        for (int i = 0; i < names.size(); ++i) {
            auto* picture = new QLabel(&sheet);
            picture->setPixmap(
                icon(names[i], sheet.palette()).pixmap(QSize(20, 20), sheet.devicePixelRatioF()));
            picture->setGeometry(10 + i % 8 * 98, 10 + i / 8 * 52, 24, 24);
            auto* name = new QLabel(names[i], &sheet);
            name->setFont(uiFont(TextSize::Caption));
            name->setGeometry(10 + i % 8 * 98, 32 + i / 8 * 52, 96, 16);
        }
        auto* mark = new QLabel(&sheet);
        mark->setPixmap(applicationIcon().pixmap(QSize(96, 96), sheet.devicePixelRatioF()));
        mark->move(10, sheet.height() - 110);
        auto* small = new QLabel(&sheet);
        small->setPixmap(applicationIcon().pixmap(QSize(24, 24), sheet.devicePixelRatioF()));
        small->move(130, sheet.height() - 60);
        int x = 200;
        for (const Health health : {Health::Idle, Health::Ok, Health::Warning, Health::Error}) {
            auto* state = new QLabel(&sheet);
            state->setPixmap(healthIcon(health, sheet.palette())
                                 .pixmap(QSize(16, 16), sheet.devicePixelRatioF()));
            state->move(x, sheet.height() - 60);
            x += 40;
        }
        sheet.show();
        const QImage image = m_shots.take(*m_theme, choice, sheet, QStringLiteral("icons"));
        QVERIFY(pixelsOf(image, sheet.palette().color(QPalette::WindowText)) > 500);
    }
}

LK_WIDGET_TEST(ThemeTest);
#include "tst_theme.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/helpdialog.h"

#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/themecolors.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>

namespace lk {

namespace {

// The picture of a key on a keyboard.
class KeyCap final : public QWidget
{
public:
    KeyCap(QString text, QWidget* parent)
        : QWidget(parent)
        , m_text(std::move(text))
    {
        setFont(monoFont(TextSize::Caption));
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        setAccessibleName(m_text);
    }

    QSize sizeHint() const override
    {
        const QFontMetrics metrics(font());
        return {qMax(metrics.horizontalAdvance(m_text) + 12, metrics.height() + 6),
                metrics.height() + 6};
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(palette().color(QPalette::Mid));
        painter.setBrush(palette().base());
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(rect(), Qt::AlignCenter, m_text);
    }

private:
    QString m_text;
};

QLabel* paragraph(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

QList<KeyHint> chartKeyHints()
{
    const QString charts = HelpDialog::tr("Charts");
    const auto key = [&](Qt::Key k, const QString& text) {
        return KeyHint{charts, QKeySequence(k), text};
    };
    return {key(Qt::Key_Left, HelpDialog::tr("Back in time; also by dragging")),
            key(Qt::Key_Right, HelpDialog::tr("Forward in time")),
            key(Qt::Key_Plus, HelpDialog::tr("Zoom in")),
            key(Qt::Key_Minus, HelpDialog::tr("Zoom out")),
            {charts, {}, HelpDialog::tr("Zoom at the pointer"), HelpDialog::tr("Ctrl+wheel")},
            {charts,
             {},
             HelpDialog::tr("Pan; the wheel alone scrolls the page"),
             HelpDialog::tr("Shift+wheel")},
            key(Qt::Key_Home, HelpDialog::tr("To the oldest data")),
            key(Qt::Key_End, HelpDialog::tr("Back to live; also by double click")),
            {charts,
             {},
             HelpDialog::tr("Move the crosshair; Return or a click shows all boards at that time"),
             HelpDialog::tr("Shift+Left, Shift+Right")},
            key(Qt::Key_C,
                HelpDialog::tr("Compare with one day earlier, one week earlier, or nothing")),
            {charts, QKeySequence(Qt::SHIFT | Qt::Key_F10),
             HelpDialog::tr("Menu: copy, save as PNG or CSV, back to live")}};
}

QList<KeyHint> timeKeyHints()
{
    const QString bar = HelpDialog::tr("Time travel");
    const auto keys = [&](const QString& text, const QString& names) {
        return KeyHint{bar, {}, text, names};
    };
    return {
        keys(HelpDialog::tr("On the time bar: a step; with Shift a second"),
             HelpDialog::tr("Left, Right")),
        keys(HelpDialog::tr("On the time bar: a large step"), HelpDialog::tr("Page Up, Page Down")),
        keys(HelpDialog::tr("On the time bar: to the beginning of the recording, to live"),
             HelpDialog::tr("Home, End")),
        keys(HelpDialog::tr("On the time bar: previous or next event"),
             HelpDialog::tr("Ctrl+Left, Ctrl+Right")),
        {bar, QKeySequence(Qt::Key_Space), HelpDialog::tr("On the time bar: play or stop")}};
}

HelpDialog::HelpDialog(const QList<KeyHint>& keys, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Help – Lockkeeper"));
    auto* inner = new QWidget;
    auto* innerColumn =
        columnIn(inner, {16, 16, 16, 16}, 24, {makeKeys(keys), makeAbout(), BoxStretch{}});
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(inner);
    scroll->setAccessibleName(tr("Keys and help"));
    auto* close = new QPushButton(tr("&Close"), this);
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(16, 0, 16, 0);
    buttons->addStretch(1);
    buttons->addWidget(close);
    columnIn(this, {0, 0, 0, 16}, 8, {{scroll, 1}, buttons});
    close->setFocus();
    // As tall as its text, up to what fits the smallest window.
    resize(760, qMin(560, innerColumn->totalHeightForWidth(760) + close->sizeHint().height() + 24));
}

QWidget* HelpDialog::makeKeys(const QList<KeyHint>& keys)
{
    QStringList groups;
    for (const KeyHint& key : keys) {
        if (!groups.contains(key.group))
            groups << key.group;
    }
    auto* both = new QWidget(this);
    auto* columns = rowIn(both, {}, 32);
    auto* left = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    qsizetype placed = 0;
    for (const QString& group : groups) {
        QList<KeyHint> own = keys;
        own.removeIf([&](const KeyHint& key) { return key.group != group; });
        // To the side on which more than half of it lies.
        (placed * 2 + own.size() <= keys.size() ? left : right)->addWidget(makeGroup(group, own));
        placed += own.size();
    }
    for (QVBoxLayout* column : {left, right}) {
        column->setSpacing(16);
        column->addStretch(1);
        columns->addLayout(column, 1);
    }
    return both;
}

QWidget* HelpDialog::makeGroup(const QString& group, const QList<KeyHint>& keys)
{
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    grid->setColumnMinimumWidth(0, 96);
    grid->setColumnStretch(1, 1);
    auto* title = new QLabel(group, box);
    title->setFont(uiFont(TextSize::Title));
    grid->addWidget(title, 0, 0, 1, 2);
    grid->setRowMinimumHeight(1, 4);
    int row = 2;
    for (const KeyHint& key : keys) {
        const QString cap =
            key.gesture.isEmpty() ? key.shortcut.toString(QKeySequence::NativeText) : key.gesture;
        grid->addWidget(new KeyCap(cap, box), row, 0, Qt::AlignLeft | Qt::AlignVCenter);
        grid->addWidget(paragraph(key.text, box), row++, 1);
    }
    return box;
}

QWidget* HelpDialog::makeAbout()
{
    auto* box = new QWidget(this);
    auto* title = new QLabel(tr("How Lockkeeper reads your server"), box);
    title->setFont(uiFont(TextSize::Title));
    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    auto* mark = new QLabel(box);
    mark->setPixmap(applicationIcon().pixmap(QSize(24, 24), devicePixelRatioF()));
    auto* version = paragraph(tr("Lockkeeper %1. Free software under the GNU General Public "
                                 "License, version 3 or later, without any warranty.")
                                  .arg(QStringLiteral(LOCKKEEPER_VERSION)),
                              box);
    version->setFont(uiFont(TextSize::Caption));
    version->setForegroundRole(QPalette::PlaceholderText);
    foot->addWidget(mark, 0, Qt::AlignTop);
    foot->addWidget(version, 1);
    columnIn(
        box, {}, 8,
        {title,
         paragraph(tr("It only reads. It scans key names in small slices with SCAN, never with "
                      "KEYS, and reads what it detects with commands of bounded size: what is on "
                      "screen at every polling interval, the rest when it changes and from time to "
                      "time. When the server slows down, it reads less. The status bar shows what "
                      "this costs the server. Reading a limiter does not consume a permit."),
                   box),
         BoxGap{8}, foot});
    return box;
}

} // namespace lk

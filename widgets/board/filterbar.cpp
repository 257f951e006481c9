// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/board/filterbar.h"

#include "widgets/controls/input/searchfield.h"
#include "widgets/theme/accessiblerole.h"

#include <QAction>
#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lk {

namespace {

constexpr int fieldWidth = 116; // at least
constexpr int fieldMost = 320;
constexpr int spacing = 8;
constexpr int chipSpacing = 4;
constexpr int mostLines = 2;          // of chips; above it they are in a menu
constexpr char idProperty[] = "chip"; // of a button: its chip's id

} // namespace

FilterBar::FilterBar(const QString& placeholder, QWidget* parent)
    : QWidget(parent)
    , m_layout(new QGridLayout(this))
    , m_chipRow(new QWidget)
    , m_chipLines(new QVBoxLayout(m_chipRow))
    , m_menu(new QToolButton)
    , m_field(searchField(placeholder, placeholder))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(spacing);
    m_field->setObjectName(QStringLiteral("filterField"));
    setTip(tr("Shows rows whose name, key or owner contains this text;\nby TTL: ttl<1m, ttl>=10s, "
              "ttl=none"));
    m_field->setMinimumWidth(fieldWidth);
    m_field->setMaximumWidth(fieldMost);
    m_chipLines->setContentsMargins(0, 0, 0, 0);
    m_chipLines->setSpacing(chipSpacing);
    m_chipRow->setAccessibleName(tr("Show only"));
    m_chipRow->setMinimumWidth(1); // it stands below the field rather than widen the board
    m_layout->addWidget(m_field, 0, 0);
    m_layout->addWidget(m_chipRow, 0, 1, Qt::AlignLeft);
    m_layout->addWidget(m_menu, 1, 0, 1, 3, Qt::AlignLeft);
    buildMenu();
    m_layout->setColumnStretch(0, 1);
    m_layout->setColumnStretch(1, 1);
    connect(m_field, &QLineEdit::textChanged, this, &FilterBar::changed);
}

QString FilterBar::text() const
{
    return m_field->text();
}

void FilterBar::focusField()
{
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void FilterBar::clear()
{
    QSignalBlocker once(this);
    choose({});
    m_field->clear();
    once.unblock();
    emit changed();
}

bool FilterBar::isFiltering() const
{
    return !m_chosen.isEmpty() || !m_field->text().isEmpty();
}

void FilterBar::choose(const FilterChip& chip)
{
    m_chosen = chip.id;
    if (!chip.id.isEmpty() && learn(chip))
        rebuildChips();
    if (m_chips) {
        for (QAbstractButton* button : m_chips->buttons()) {
            if (button->property(idProperty).toString() == chip.id)
                button->setChecked(true);
        }
    }
    emit changed();
}

// Whether it was not known yet.
bool FilterBar::learn(const FilterChip& chip)
{
    if (std::any_of(m_known.begin(), m_known.end(),
                    [&](const FilterChip& known) { return known.id == chip.id; }))
        return false;
    m_known.push_back(chip);
    return true;
}

void FilterBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape)
        return QWidget::keyPressEvent(event);
    if (isFiltering())
        clear();
    else
        emit left();
}

void FilterBar::addTrailing(QWidget* widget)
{
    m_trailing = widget;
    m_layout->addWidget(widget, 0, 2);
}

void FilterBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeChips();
}

void FilterBar::placeChips()
{
    if (!m_chips)
        return;
    const int trailing = m_trailing ? m_trailing->sizeHint().width() : 0;
    int chips = -chipSpacing;
    for (const QAbstractButton* chip : m_chips->buttons())
        chips += chip->sizeHint().width() + chipSpacing;
    const bool beside = fieldWidth + chips + trailing + 2 * spacing <= width();
    const bool inMenu = breakChips(beside ? chips : width()) > mostLines;
    m_chipRow->setVisible(!inMenu);
    m_menu->setVisible(inMenu);
    // The chips beside it keep their room, and the field takes what is left.
    m_field->setMaximumWidth(beside ? std::min(fieldMost, width() - chips - trailing - 2 * spacing)
                                    : fieldMost);
    m_layout->removeWidget(m_chipRow);
    if (beside)
        m_layout->addWidget(m_chipRow, 0, 1, Qt::AlignLeft);
    else
        m_layout->addWidget(m_chipRow, 1, 0, 1, 3, Qt::AlignLeft);
}

// The same chips by another way.
void FilterBar::buildMenu()
{
    m_menu->setPopupMode(QToolButton::InstantPopup);
    m_menu->setFocusPolicy(Qt::StrongFocus);
    m_menu->setAccessibleName(tr("Show only"));
    m_menu->hide();
    auto* menu = new QMenu(m_menu);
    m_menu->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        for (QAbstractButton* chip : m_chips->buttons()) {
            QAction* entry = menu->addAction(chip->text(), chip, &QAbstractButton::click);
            entry->setCheckable(true);
            entry->setChecked(chip->isChecked());
            entry->setEnabled(chip->isEnabled());
        }
    });
}

// In lines no longer than that; answers how many it takes.
int FilterBar::breakChips(int room)
{
    const auto chips = m_chips->buttons();
    std::vector<int> lineOf;
    int line = 0;
    int used = 0;
    for (const QAbstractButton* chip : chips) {
        const int wide = chip->sizeHint().width();
        if (used > 0 && used + wide > room) {
            ++line;
            used = 0;
        }
        lineOf.push_back(line);
        used += wide + chipSpacing;
    }
    if (lineOf == m_lineOf)
        return line + 1;
    m_lineOf = std::move(lineOf);
    while (QLayoutItem* item = m_chipLines->takeAt(0))
        delete item; // a line; its chips stay
    QHBoxLayout* row = nullptr;
    for (qsizetype i = 0; i < chips.size(); ++i) {
        if (m_lineOf[size_t(i)] == m_chipLines->count()) {
            row = new QHBoxLayout;
            row->setSpacing(chipSpacing);
            m_chipLines->addLayout(row);
        }
        row->insertWidget(row->count(), chips[i]);
    }
    for (int i = 0; i < m_chipLines->count(); ++i)
        static_cast<QHBoxLayout*>(m_chipLines->itemAt(i)->layout())->addStretch(1);
    return line + 1;
}

void FilterBar::setText(const QString& text)
{
    m_field->setText(text);
}

void FilterBar::setTip(const QString& tip)
{
    m_field->setToolTip(tip + QLatin1Char('\n') +
                        tr("With * or ? it must match as a whole: code:*\nCtrl+F focuses it, "
                           "Escape clears it"));
}

void FilterBar::setChips(qint64 total, const std::vector<FilterChip>& chips)
{
    bool more = !m_chips;
    for (const FilterChip& chip : chips)
        more |= learn(chip);
    if (more)
        rebuildChips();
    const QLocale locale;
    const auto buttons = m_chips->buttons();
    for (QAbstractButton* button : buttons) {
        const QString id = button->property(idProperty).toString();
        QString text = tr("All");
        qint64 count = total;
        if (!id.isEmpty()) {
            const auto known = std::find_if(m_known.begin(), m_known.end(),
                                            [&](const FilterChip& chip) { return chip.id == id; });
            const auto now = std::find_if(chips.begin(), chips.end(),
                                          [&](const FilterChip& chip) { return chip.id == id; });
            text = known->text;
            count = now == chips.end() ? 0 : now->count;
            button->setEnabled(count > 0 || button->isChecked());
        }
        button->setText(QStringLiteral("%1 %2").arg(text, locale.toString(count)));
        if (button->isChecked())
            m_menu->setText(button->text());
    }
    placeChips();
}

void FilterBar::resetChips()
{
    m_chosen.clear();
    m_known.clear();
    if (!m_chips)
        return;
    rebuildChips();
    setChips(0, {});
}

void FilterBar::rebuildChips()
{
    while (QLayoutItem* item = m_chipLines->takeAt(0))
        delete item;
    m_lineOf.clear();
    if (m_chips) {
        for (QAbstractButton* chip : m_chips->buttons())
            chip->deleteLater();
    }
    delete m_chips;
    m_chips = new QButtonGroup(this);
    addChip({});
    for (const FilterChip& chip : m_known)
        addChip(chip);
}

void FilterBar::addChip(const FilterChip& chip)
{
    auto* button = new QToolButton(m_chipRow);
    button->setCheckable(true);
    setAccessibleRole(button, QAccessible::RadioButton);
    button->setChecked(chip.id == m_chosen);
    button->setProperty(idProperty, chip.id);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(chip.id.isEmpty() ? tr("Show all")
                                                : tr("Show only: %1").arg(chip.text));
    m_chips->addButton(button);
    button->show();
    connect(button, &QToolButton::clicked, this, [this, id = chip.id] {
        m_chosen = id;
        m_menu->setText(m_chips->checkedButton()->text());
        emit changed();
    });
}

} // namespace lk

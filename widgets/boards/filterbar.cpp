// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/boards/filterbar.h"

#include "widgets/theme/icon.h"

#include <QAction>
#include <QButtonGroup>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QToolButton>

#include <algorithm>

namespace lk {

namespace {

constexpr int fieldWidth = 116; // at least
constexpr int spacing = 8;

} // namespace

FilterBar::FilterBar(const QString& placeholder, QWidget* parent)
    : QWidget(parent)
    , m_layout(new QGridLayout(this))
    , m_chipRow(new QWidget)
    , m_chipLayout(new QHBoxLayout(m_chipRow))
    , m_field(new QLineEdit)
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(spacing);
    m_field->setObjectName(QStringLiteral("filterField"));
    m_field->setPlaceholderText(placeholder);
    m_field->setAccessibleName(placeholder);
    m_field->setToolTip(tr("Shows the rows whose name, key or owner contains this (Ctrl+F)"));
    m_field->setClearButtonEnabled(true);
    m_field->setMinimumWidth(fieldWidth);
    m_field->setMaximumWidth(320);
    m_search = m_field->addAction(QIcon(), QLineEdit::LeadingPosition);
    updateIcon();
    m_chipLayout->setContentsMargins(0, 0, 0, 0);
    m_chipLayout->setSpacing(4);
    m_chipRow->setMinimumWidth(1); // it stands below the field rather than widen the board
    m_layout->addWidget(m_field, 0, 0);
    m_layout->addWidget(m_chipRow, 0, 1, Qt::AlignLeft);
    m_layout->setColumnStretch(0, 1);
    m_layout->setColumnStretch(1, 1);
    connect(m_field, &QLineEdit::textChanged, this, &FilterBar::changed);
}

void FilterBar::updateIcon()
{
    m_search->setIcon(icon(QStringLiteral("search"), ColorRole::Second, palette()));
}

void FilterBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        updateIcon();
    QWidget::changeEvent(event);
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
    m_word.clear();
    m_field->clear();
    emit changed();
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
    const int trailing = m_trailing ? m_trailing->sizeHint().width() : 0;
    const int beside = fieldWidth + m_chipRow->sizeHint().width() + trailing + 2 * spacing;
    m_layout->removeWidget(m_chipRow);
    if (beside <= width())
        m_layout->addWidget(m_chipRow, 0, 1, Qt::AlignLeft);
    else
        m_layout->addWidget(m_chipRow, 1, 0, 1, 3, Qt::AlignLeft);
}

void FilterBar::setCounts(const KindDigest& digest)
{
    // The chips keep their places while counts change: sorted by their word, not by count.
    auto words = digest.byWord;
    std::sort(words.begin(), words.end());
    QStringList names;
    for (const auto& [word, count] : words)
        names << word;
    if (!m_word.isEmpty() && !names.contains(m_word))
        names << m_word;
    if (names != m_words || !m_chips)
        rebuildChips(names);
    const QLocale locale;
    const auto buttons = m_chips->buttons();
    for (QAbstractButton* button : buttons) {
        const QString word = button->property("word").toString();
        qint64 count = digest.total;
        if (!word.isEmpty()) {
            const auto it = std::find_if(words.begin(), words.end(),
                                         [&](const auto& w) { return w.first == word; });
            count = it == words.end() ? 0 : it->second;
        }
        button->setText(QStringLiteral("%1 %2").arg(word.isEmpty() ? tr("All") : word,
                                                    locale.toString(count)));
    }
    placeChips();
}

void FilterBar::rebuildChips(const QStringList& words)
{
    m_words = words;
    while (QLayoutItem* item = m_chipLayout->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    delete m_chips;
    m_chips = new QButtonGroup(this);
    const auto add = [&](const QString& word) {
        auto* chip = new QToolButton;
        chip->setCheckable(true);
        chip->setChecked(word == m_word);
        chip->setProperty("word", word);
        chip->setAutoRaise(true);
        chip->setFocusPolicy(Qt::TabFocus);
        chip->setAccessibleName(word.isEmpty() ? tr("Show all") : tr("Show only: %1").arg(word));
        m_chips->addButton(chip);
        m_chipLayout->addWidget(chip);
        connect(chip, &QToolButton::clicked, this, [this, word] {
            m_word = word;
            emit changed();
        });
    };
    add({});
    for (const QString& word : words)
        add(word);
}

} // namespace lk

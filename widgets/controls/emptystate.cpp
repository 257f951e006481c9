// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/emptystate.h"

#include "widgets/controls/progressline.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

#include <QLabel>

namespace lk {

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent)
    , m_icon(new QLabel)
    , m_headline(new QLabel)
    , m_text(new QLabel)
    , m_progress(new ProgressLine(tr("Progress")))
    , m_example(new QLabel)
{
    auto* layout = columnIn(this, {32, 32, 32, 32}, 8, {BoxStretch{2}});
    for (QLabel* label : {m_icon, m_headline, m_text})
        label->setAlignment(Qt::AlignHCenter);
    for (QLabel* label : {m_headline, m_text, m_example})
        label->setTextFormat(Qt::PlainText); // text from a server is never markup
    m_headline->setFont(uiFont(TextSize::Title));
    m_text->setWordWrap(true);
    m_text->setMaximumWidth(460);
    m_text->setForegroundRole(QPalette::PlaceholderText);
    m_example->setFont(monoFont(TextSize::Caption));
    m_example->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_example->setFrameShape(QFrame::StyledPanel);
    m_example->setMargin(12);
    layout->addWidget(m_icon);
    layout->addWidget(m_headline);
    // Beside stretches rather than aligned: an aligned label is not given the height of its lines.
    auto* row = rowOf(8, {BoxStretch{}, {m_text, 1000}, BoxStretch{}});
    layout->addLayout(row);
    m_progress->setFixedWidth(240);
    m_progress->hide();
    layout->addWidget(m_progress, 0, Qt::AlignHCenter);
    layout->addSpacing(8);
    layout->addWidget(m_example, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    onPaletteChange(this, [this] { updateIcon(); });
}

void EmptyState::setText(const QString& iconName, const QString& headline, const QString& text,
                         const QString& example, std::optional<int> percent)
{
    m_iconName = iconName;
    m_headline->setText(headline);
    m_text->setText(text);
    m_example->setText(example);
    m_example->setVisible(!example.isEmpty());
    m_progress->setPercent(percent);
    m_progress->setVisible(percent.has_value());
    setAccessibleName(headline);
    setAccessibleDescription(text);
    updateIcon();
}

QString EmptyState::headline() const
{
    return m_headline->text();
}

void EmptyState::updateIcon()
{
    if (!m_iconName.isEmpty())
        m_icon->setPixmap(icon(m_iconName, ColorRole::Second, palette()).pixmap(40, 40));
}

} // namespace lk

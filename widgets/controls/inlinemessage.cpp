// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/inlinemessage.h"

#include "backend/text/errortext.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

#include <QAccessible>
#include <QLabel>

namespace lk {

namespace {

constexpr int iconSide = 14;

struct Style
{
    ColorRole role;
    const char* icon; ///< null: none
};

Style styleOf(InlineMessage::Tone tone)
{
    switch (tone) {
    case InlineMessage::Tone::Hint:
        return {ColorRole::Second, nullptr};
    case InlineMessage::Tone::Busy:
        return {ColorRole::Second, "clock"};
    case InlineMessage::Tone::Ok:
        return {ColorRole::Ok, "ok"};
    case InlineMessage::Tone::Unknown:
        return {ColorRole::Second, "help"};
    case InlineMessage::Tone::Warning:
        return {ColorRole::Warning, "warning"};
    case InlineMessage::Tone::Problem:
        return {ColorRole::Danger, "error"};
    }
    return {ColorRole::Second, nullptr};
}

} // namespace

InlineMessage::InlineMessage(QWidget* parent)
    : QWidget(parent)
    , m_icon(new QLabel(this))
    , m_text(new QLabel(this))
{
    m_text->setFont(uiFont(TextSize::Caption));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    rowIn(this, {}, 6, {{m_icon, 0, Qt::AlignTop}, {m_text, 1, Qt::AlignTop}});
    updateStyle();
    onPaletteChange(this, [this] { updateStyle(); });
}

void InlineMessage::setMessage(Tone tone, const QString& text)
{
    m_tone = tone;
    m_text->setText(text);
    updateStyle();
    QAccessibleEvent event(m_text, QAccessible::Alert);
    if (tone != Tone::Hint)
        QAccessible::updateAccessibility(&event);
}

void InlineMessage::setError(const Error& error)
{
    setMessage(Tone::Problem, sentences(error));
}

QString InlineMessage::text() const
{
    return m_text->text();
}

void InlineMessage::updateStyle()
{
    const Style style = styleOf(m_tone);
    QPalette own = m_text->palette();
    // The words stay legible text for whom the colour says nothing.
    own.setColor(QPalette::WindowText, themeColors(palette()).of(style.role));
    m_text->setPalette(own);
    const bool shown = style.icon && !m_text->text().isEmpty();
    m_icon->setVisible(shown);
    if (shown)
        m_icon->setPixmap(icon(QLatin1String(style.icon), style.role, palette())
                              .pixmap(QSize(iconSide, iconSide), devicePixelRatioF()));
}

QString sentences(const Error& error)
{
    const QString advice = errorAdvice(error);
    QString text = errorText(error);
    if (!text.isEmpty() && !QStringLiteral(".!?").contains(text.back()))
        text += QLatin1Char('.');
    return advice.isEmpty() ? text : text + QLatin1Char(' ') + advice;
}

} // namespace lk

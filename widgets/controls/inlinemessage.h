// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

#include <QWidget>

class QLabel;

namespace lk {

/// A sentence beside its subject: an icon, words, and a colour last.
class InlineMessage final : public QWidget
{
    Q_OBJECT

public:
    enum class Tone : quint8 { Hint, Busy, Ok, Unknown, Warning, Problem };

    explicit InlineMessage(QWidget* parent = nullptr);

    /// Plain text; an empty one shows nothing but keeps the widget's place.
    void setMessage(Tone tone, const QString& text);
    /// Shows an error and what to do about it.
    void setError(const Error& error);

    Tone tone() const { return m_tone; }
    QString text() const;
    bool isProblem() const { return m_tone == Tone::Problem; }

private:
    void updateStyle();

    Tone m_tone = Tone::Hint;
    QLabel* m_icon;
    QLabel* m_text;
};

/// Returns an error and the advice on it, as sentences.
QString sentences(const Error& error);

} // namespace lk

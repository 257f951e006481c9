// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QKeySequence>
#include <QList>

namespace lk {

/// A key and its effect, translated.
struct KeyHint
{
    QString group;
    QKeySequence shortcut;
    QString text;
    /// A gesture that is not a key alone, "Ctrl+wheel". Shown in place of the shortcut.
    QString gesture = {};
};

/// Returns the keys of every chart.
QList<KeyHint> chartKeyHints();
/// On the time bar.
QList<KeyHint> timeKeyHints();

/// The keys, how Lockkeeper looks at a server, version and licence.
class HelpDialog final : public QDialog
{
    Q_OBJECT

public:
    /// Groups appear in the order in which they are first named.
    explicit HelpDialog(const QList<KeyHint>& keys, QWidget* parent = nullptr);

private:
    QWidget* makeKeys(const QList<KeyHint>& keys);
    QWidget* makeGroup(const QString& group, const QList<KeyHint>& keys);
    QWidget* makeAbout();
};

} // namespace lk

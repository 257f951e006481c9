// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLineEdit;

namespace lk {

/// Has a server's name typed before write mode is turned on, so that nobody does it on the wrong
/// one.
class TypedNameDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit TypedNameDialog(const QString& name, QWidget* parent = nullptr);
};

} // namespace lk
